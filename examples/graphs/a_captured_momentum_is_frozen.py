"""
A captured momentum is frozen
=============================

Does a graph follow ``OneCycleLR``? It follows a learning rate that is a tensor on the GPU. The
momentum, which the schedule changes as well, is a number, and stays as it was captured.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.optim import lr_scheduler

weight = torch.nn.Parameter(torch.zeros(1000, device="cuda"))
weight.grad = torch.ones_like(weight)
rate = torch.tensor(0.1, device="cuda")
optimizer = torch.optim.SGD([weight], lr=rate, momentum=0.9, fused=True)
schedule = lr_scheduler.OneCycleLR(optimizer, 0.5, total_steps=20, cycle_momentum=False)
optimizer.step()  # the warm-up
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    optimizer.step()

for _ in range(3):
    schedule.step()
    graph.replay()
    print(f"learning rate {rate.item():.3f}, weight {weight[0].item():.3f}")

# %%
# Two optimizers and two schedules, which also change the momentum by default (of Adam, the first of
# the ``betas``).

STEPS = 10


def sgd(weights):
    rate = torch.tensor(0.1, device="cuda")
    return torch.optim.SGD(weights, lr=rate, momentum=0.9, fused=True)


def adam(weights):
    return torch.optim.Adam(
        weights, lr=torch.tensor(0.1, device="cuda"), capturable=True
    )


def one_cycle(optimizer, momentum):
    return lr_scheduler.OneCycleLR(
        optimizer, 0.5, total_steps=20, cycle_momentum=momentum
    )


def cyclic(optimizer, momentum):
    return lr_scheduler.CyclicLR(optimizer, 0.1, 0.5, 4, cycle_momentum=momentum)


def make(kind, cycle, momentum):
    torch.manual_seed(0)
    weight = torch.nn.Parameter(torch.randn(1000, device="cuda"))
    weight.grad = torch.randn_like(weight)
    optimizer = kind([weight])
    schedule = cycle(optimizer, momentum)
    optimizer.step()
    return weight, optimizer, schedule


# %%
# After each step of the schedule, a graph is replayed. Two twins take the same step without one: by
# the schedule, and with the momentum that was captured.


def count(kind, cycle, momentum):
    weight, optimizer, schedule = make(kind, cycle, momentum)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        optimizer.step()
    key = "betas" if kind is adam else "momentum"
    captured = optimizer.param_groups[0][key]
    graph.replay()
    twins = [make(kind, cycle, momentum) for _ in range(2)]
    for _, twin, _ in twins:
        twin.step()
    as_scheduled = as_captured = changed = 0
    for _ in range(STEPS):
        schedule.step()
        graph.replay()
        changed += optimizer.param_groups[0][key] != captured
        for number, (_, twin, its_schedule) in enumerate(twins):
            its_schedule.step()
            scheduled = twin.param_groups[0][key]
            twin.param_groups[0][key] = captured if number else scheduled
            twin.step()
            twin.param_groups[0][key] = scheduled
        as_scheduled += torch.equal(weight, twins[0][0])
        as_captured += torch.equal(weight, twins[1][0])
    case = f"{kind.__name__}, {cycle.__name__}" + ("" if momentum else ", no momentum")
    row = {"case": case, "changed": changed}
    return row | {"as_scheduled": as_scheduled, "as_captured": as_captured}


cases = [
    (k, c, m) for k in (sgd, adam) for c in (one_cycle, cyclic) for m in (True, False)
]
rows = [count(*case) for case in cases]
print(*rows, sep="\n")

measured = {"steps": STEPS, "by_case": {"table": rows}}
