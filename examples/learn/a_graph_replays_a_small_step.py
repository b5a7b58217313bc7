"""
A graph replays a small step
============================

Can the launches of my small loop be spared? A CUDA graph records a step once, and replays it with a
single launch: the small model trains several times as fast, and learns the same. A wide model gains
next to nothing, since its kernels take long, and a replay makes no kernel faster.
"""

# sphinx_gallery_evidence = {"expected_warnings": [".*capturable=True", ".*AccumulateGrad"]}
from time import perf_counter

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
points = torch.rand(5000, 2) * 2 - 1
labels = (points.norm(dim=1) > 0.5).long() + (points.norm(dim=1) > 0.9).long()


def step_of(width, batch, **options):
    torch.manual_seed(0)
    x, y = points[:batch].to(device), labels[:batch].to(device)
    middle = [nn.Linear(width, width), nn.ReLU()] if width > 64 else []
    layers = nn.Linear(2, width), nn.ReLU(), *middle, nn.Linear(width, 3)
    model = nn.Sequential(*layers).to(device)
    rate = 0.01 if width == 64 else 0.0001
    optimizer = torch.optim.Adam(model.parameters(), lr=rate, **options)

    def step():
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    return step


# %%
# Three steps in a side stream warm up what a capture cannot, and train the model as well. Then one
# step is captured: it is recorded, and does not run. From now on, the batch stays where it is.

WARM_UP = 3


def graphed(step):
    side, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(WARM_UP):
            step()
    torch.cuda.current_stream().wait_stream(side)
    with torch.cuda.graph(graph):
        loss = step()

    def replay():
        graph.replay()
        return loss

    return replay


# %%
# The loop and its replay begin with the same weights, and take turns. Both wait for the last loss.

from statistics import median


def seconds(step, steps):
    begin = perf_counter()
    for _ in range(steps):
        loss = step()
    value = loss.item()
    return (perf_counter() - begin) / steps, value


ROUNDS, rows = 7, []
wide = 4096 if device == "cuda" else 64
for name, width, batch, steps in (("small", 64, 100, 50), ("wide", wide, 4000, 20)):
    loop = step_of(width, batch)
    seconds(loop, WARM_UP)
    if device == "cpu":
        print(
            f"no GPU here: {name} trains without a graph, loss {seconds(loop, 20)[1]:.3f}"
        )
        continue
    replay = graphed(step_of(width, batch, capturable=True))
    turns = [(seconds(loop, steps), seconds(replay, steps)) for _ in range(ROUNDS)]
    (_, loss), (_, loss_replayed) = turns[0]
    agree = abs(loss - loss_replayed) <= 0.01 * loss
    turns = turns[2:]  # the first turns raise the clock
    samples = {
        "loop_s": [taken for (taken, _), _ in turns],
        "replay_s": [taken for _, (taken, _) in turns],
        "speedup": [a / b for (a, _), (b, _) in turns],
    }
    row = {key: {"samples": values} for key, values in samples.items()}
    rows.append({"model": name, "losses_agree": agree} | row)
    ratio = median(samples["speedup"])
    print(f"{name}: {ratio:.2f} times as fast; loss {loss:.3f}, {loss_replayed:.3f}")
measured = {"by_model": {"table": rows}}
