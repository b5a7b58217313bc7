"""
A captured learning rate is frozen
==================================

Why does the learning rate not change in a CUDA graph? A capture records numbers as they are. Give
the optimizer a tensor on the GPU instead, and change what is in it: each replay reads it again.
"""

# sphinx_gallery_quiet = "nothing"
import torch

weight = torch.nn.Parameter(torch.zeros(1000, device="cuda"))
weight.grad = torch.ones_like(weight)
rate = torch.tensor(1.0, device="cuda")
optimizer = torch.optim.SGD([weight], lr=rate, fused=True)
optimizer.step()  # the warm-up
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    optimizer.step()

for value in (1.0, 0.5, 0.0):
    rate.fill_(value)
    before = weight[0].item()
    graph.replay()
    print(f"learning rate {value}: moved by {before - weight[0].item()}")

# %%
# An optimizer with a number or a tensor, and with a schedule that halves it in each step. The
# schedule is made before the warm-up, because it expects a step of the optimizer.

TRIES = 10


def make(rate):
    weight = torch.nn.Parameter(torch.zeros(1000, device="cuda"))
    weight.grad = torch.ones_like(weight)
    optimizer = torch.optim.SGD([weight], lr=rate, fused=True)
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
    optimizer.step()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        optimizer.step()

    def moved():
        before = weight[0].item()
        graph.replay()
        return before - weight[0].item()

    return optimizer.param_groups[0], schedule, moved


def tensor():
    return torch.tensor(1.0, device="cuda")


# %%
# With the learning rate set to zero, no weight should move. The four ways to set it: assigned as a
# number, filled in, or a new tensor instead of the one that was captured.


def assign(group, value):
    group["lr"] = value


def fill(group, value):
    group["lr"].fill_(value)


def replace(group, value):
    group["lr"] = torch.tensor(value, device="cuda")


rows = []
for name, rate, change in (
    ("assigned number", 1.0, assign),
    ("filled tensor", tensor(), fill),
    ("replaced tensor", tensor(), replace),
    ("number over a tensor", tensor(), assign),
):
    group, _, moved = make(rate)
    kept = group["lr"]  # keeps the captured tensor
    change(group, 0.0)
    steps = [moved() for _ in range(TRIES)]
    row = {"way": name, "still": steps.count(0.0), "by_the_old": steps.count(1.0)}
    rows.append(row)
print(*rows, sep="\n")

# %%
# Under the schedule, each step should move the weights by the rate that the schedule gives.

schedules = []
for name, rate in (("number", 1.0), ("tensor", tensor())):
    group, schedule, moved = make(rate)
    followed, by_the_old = 0, 0
    for _ in range(TRIES):
        schedule.step()
        step = moved()
        followed += step == float(group["lr"])
        by_the_old += step == 1.0
    schedules.append({"rate": name, "followed": followed, "by_the_old": by_the_old})
print(*schedules, sep="\n")

measured = {
    "tries": TRIES,
    "ways": {"table": rows},
    "schedules": {"table": schedules},
}
