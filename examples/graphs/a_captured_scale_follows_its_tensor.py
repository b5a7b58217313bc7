"""
A captured scale follows its tensor
===================================

If only forward and backward are captured, do replays use the gradient scaler's current scale?
They do, because ``scaler.scale`` multiplies by a tensor that the scaler changes in place. A
scale that was read as a Python number before the capture stays what it was.
"""

# sphinx_gallery_evidence = {"expected_warnings": [".*AccumulateGrad"]}
import torch

torch.manual_seed(0)
layer = torch.nn.Linear(64, 64).cuda()
scaler = torch.amp.GradScaler("cuda", 1024.0)
x = torch.randn(128, 64, device="cuda")


def by_the_scaler():
    layer.zero_grad()
    with torch.autocast("cuda", torch.float16):
        loss = layer(x).float().square().mean()
    scaler.scale(loss).backward()


def by_a_number(scale=1024.0):
    layer.zero_grad()
    with torch.autocast("cuda", torch.float16):
        loss = layer(x).float().square().mean()
    (loss * scale).backward()


# %%
# Each is captured after a few runs in a side stream. The gradient belongs to the graph.


def captured(work):
    side, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            work()
    torch.cuda.current_stream().wait_stream(side)
    with torch.cuda.graph(graph):
        work()
    return graph, layer.weight.grad


graphs = {work.__name__: captured(work) for work in (by_the_scaler, by_a_number)}

# %%
# The scale changes between replays. All scales are powers of two, and none is that of the capture.
# Does the gradient follow?

SCALES = [2.0**power for power in (9, 11, 8, 12, 13, 7)]


def followed(name):
    graph, gradient = graphs[name]
    right = 0
    for scale in SCALES:
        scaler.update(1024.0)
        graph.replay()
        before = gradient.norm().item()
        scaler.update(scale)
        graph.replay()
        ratio = gradient.norm().item() / before
        right += abs(ratio * 1024 / scale - 1) < 0.01
    return right


measured = {
    "scales": len(SCALES),
    "by_way": {"table": [{"way": n, "followed": followed(n)} for n in graphs]},
}
print(measured)
