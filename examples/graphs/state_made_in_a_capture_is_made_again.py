"""
State made in a capture is made again
=====================================

Why must a training step run before it is captured? What the first step makes, such as the state of
an optimizer, would be part of the graph: each replay would make it again, and start from zero.
"""

# sphinx_gallery_evidence = {"expected_warnings": ["This instance was constructed"]}
# sphinx_gallery_quiet = "nothing"
import torch

model, x = torch.nn.Linear(8, 1).cuda(), torch.randn(32, 8, device="cuda")
optimizer = torch.optim.Adam(model.parameters(), capturable=True)


def step():
    optimizer.zero_grad()
    model(x).square().mean().backward()
    optimizer.step()


side = torch.cuda.Stream()
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):
    step()  # the warm-up makes the optimizer's state
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):  # waits for the GPU first
    step()
graph.replay()

# %%
# Several optimizers get the same weights and gradients, and are captured with a warm-up and without
# one. All kernels have been loaded before. The reference takes as many steps without a graph.

STEPS, RATE = 10, 0.125
ON = {"capturable": True}
KINDS = {"SGD": {}, "SGD with momentum": {"momentum": 0.5}, "Adam": ON, "RMSprop": ON}
KINDS["fused Adam"] = ON | {"fused": True}


def make(kind):
    weight = torch.nn.Parameter(torch.ones(1000, device="cuda"))
    weight.grad = torch.zeros_like(weight)
    name = kind.removeprefix("fused ").split()[0]
    return weight, getattr(torch.optim, name)([weight], RATE, **KINDS[kind])


def steps_of(run, weight, numbers):
    for number in numbers:
        weight.grad.fill_((1.0, -2.0, 3.0)[number % 3])
        run()
    return weight.detach()


def eager(kind):
    weight, optimizer = make(kind)
    return steps_of(optimizer.step, weight, range(STEPS))


def captured(kind, is_warm):
    weight, optimizer = make(kind)
    steps_of(optimizer.step, weight, range(is_warm))
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        optimizer.step()
    weight = steps_of(graph.replay, weight, range(is_warm, STEPS))
    count = optimizer.state_dict()["state"].get(0, {}).get("step", torch.zeros(()))
    return weight, int(count.item())


rows = []
for kind in KINDS:
    wanted = eager(kind)
    row = {"optimizer": kind}
    for name, is_warm in (("cold", False), ("warm", True)):
        weight, row[f"{name}_count"] = captured(kind, is_warm)
        row[f"{name}_right"] = torch.allclose(weight, wanted, rtol=1e-5)
    rows.append(row)
print(*rows, sep="\n")

# %%
# Gradients are state, too. If they exist before the capture, each replay adds to them; if they are
# made in the capture, each replay sets them.


def gradient_after(replays, is_there):
    weight = torch.nn.Parameter(torch.ones(1000, device="cuda"))
    (weight * 2).sum().backward()  # the warm-up
    if not is_there:
        weight.grad = None
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        (weight * 2).sum().backward()
    for _ in range(replays):
        graph.replay()
    return weight.grad[0].item()


measured = {
    "steps": STEPS,
    "by_optimizer": {"table": rows},
    "gradient": 2,
    "replays": 5,
    "gradient_made": gradient_after(5, is_there=False),
    "gradient_there": gradient_after(5, is_there=True),
}
print(measured["gradient_made"], measured["gradient_there"])
