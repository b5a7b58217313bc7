"""
A captured scale follows its tensor
===================================

If only forward and backward are captured, do replays use the gradient scaler's current scale?
They do, because ``scaler.scale`` multiplies by a tensor that the scaler changes in place. A
number that ``get_scale()`` read before the capture stays what it was; in a capture, it fails.
"""

# sphinx_gallery_evidence = {"expected_warnings": ["This process"], "timeout": 120}
# sphinx_gallery_quiet = "nothing"
import warnings
from multiprocessing import get_context

import torch

# %%
# Each way gets the scaler before the capture, and returns the function that scales the loss in it.


def by_the_scaler(scaler):
    return scaler.scale


def by_a_number(scaler):
    number = scaler.get_scale()
    return lambda loss: loss * number


def by_a_read_in_the_capture(scaler):
    return lambda loss: loss * scaler.get_scale()


# %%
# The step is captured after a few runs in a side stream. The gradients belong to the graph.


def captured(way, layer, scaler, x):
    def work(scaled):
        layer.zero_grad()
        with torch.autocast("cuda", torch.float16):
            loss = layer(x).float().square().mean()
        scaled(loss).backward()

    side, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            work(scaler.scale)
    torch.cuda.current_stream().wait_stream(side)
    scaled = way(scaler)
    with torch.cuda.graph(graph):
        work(scaled)
    return graph


# %%
# Between replays, the scaler doubles its scale after a good batch, and halves it after one that
# overflows. Weights stay, so that only the scale changes the gradient. Does the gradient follow it,
# or does it keep the scale of the capture? A replay at the scale of the capture could not tell.

BATCHES = ["good"] * 4 + ["bad"] * 6 + ["good"] * 4
COUNTS = dict.fromkeys(("scales", "followed", "kept", "raised", "lowered"), 0)


def replayed(way):
    torch.manual_seed(0)
    layer, x = torch.nn.Linear(64, 64).cuda(), torch.randn(128, 64, device="cuda")
    optimizer, good = torch.optim.SGD(layer.parameters(), 0.0), x.clone()
    scaler = torch.amp.GradScaler("cuda", 1024.0, growth_interval=1)
    graph = captured(way, layer, scaler, x)
    graph.replay()
    first, start = layer.weight.grad.norm().item(), scaler.get_scale()
    row = dict(COUNTS)
    for batch in BATCHES:
        x.copy_(good if batch == "good" else good * float("inf"))
        scale = scaler.get_scale()
        graph.replay()
        if batch == "good" and scale != start:
            ratio = layer.weight.grad.norm().item() / first
            row["scales"] += 1
            row["followed"] += abs(ratio / (scale / start) - 1) < 0.01
            row["kept"] += abs(ratio - 1) < 0.01
        scaler.step(optimizer)
        scaler.update()
        row["raised"] += scaler.get_scale() > scale
        row["lowered"] += scaler.get_scale() < scale
    return row


# %%
# A broken capture spoils more than itself: each way has a process of its own, forked early.


def attempt(pipe, way):
    warnings.simplefilter("ignore")
    try:
        pipe.send(replayed(way) | {"error": "none"})
    except Exception as last:
        cause = last.__context__ or last
        said = f"{type(cause).__name__}: {cause}".splitlines()[0]
        pipe.send(COUNTS | {"error": said})


context, rows = get_context("fork"), []
for way in (by_the_scaler, by_a_number, by_a_read_in_the_capture):
    pipe, end = context.Pipe(duplex=False)
    context.Process(target=attempt, args=(end, way)).start()
    end.close()
    rows.append({"way": way.__name__} | pipe.recv())
print(*rows, sep="\n")

measured = {"by_way": {"table": rows}}
