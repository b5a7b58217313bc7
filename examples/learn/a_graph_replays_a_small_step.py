"""
A graph replays a small step
============================

Can the launches of my small loop be spared? A CUDA graph records a step once, and replays it with a
single launch: the small model trains several times as fast, and learns the same. A wide model gains
next to nothing, since its kernels take long, and a replay makes no kernel faster.
"""

# sphinx_gallery_evidence = {"expected_warnings": [".*capturable=True", ".*AccumulateGrad"]}
import torch
from torch import nn

has_gpu = torch.cuda.is_available()
device = "cuda" if has_gpu else "cpu"
torch.manual_seed(0)
x = (torch.rand(100, 2) * 2 - 1).to(device)  # one batch, which stays where it is
y = (x.norm(dim=1) > 0.5).long() + (x.norm(dim=1) > 0.9).long()
model = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 3)).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, capturable=has_gpu)


def step():
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.detach()


def graphed(step):
    side, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            step()  # warms up what a capture cannot
    torch.cuda.current_stream().wait_stream(side)
    with torch.cuda.graph(graph):
        loss = step()  # is recorded, and does not run

    def replay():
        graph.replay()
        return loss

    replay.of = step  # keeps its weights, whose memory the graph uses
    return replay


one_step = graphed(step) if has_gpu else step
for _ in range(100):
    loss = one_step()
print(f"loss {loss.item():.3f}")

# %%
# The same for any width and batch, as a loop or as a graph.

from statistics import median
from time import perf_counter

WARM_UP, ROUNDS = 3, 7  # as many steps as the graph has before its first replay


def step_of(width, batch, is_graph):
    torch.manual_seed(0)
    x = (torch.rand(batch, 2) * 2 - 1).to(device)
    y = (x.norm(dim=1) > 0.5).long() + (x.norm(dim=1) > 0.9).long()
    middle = [nn.Linear(width, width), nn.ReLU()] if width > 64 else []
    layers = nn.Linear(2, width), nn.ReLU(), *middle, nn.Linear(width, 3)
    model, rate = nn.Sequential(*layers).to(device), 0.01 if width == 64 else 0.0001
    optimizer = torch.optim.Adam(model.parameters(), lr=rate, capturable=is_graph)

    def step():
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.detach()

    return graphed(step) if is_graph else step


def seconds(step, steps):
    begin = perf_counter()
    for _ in range(steps):
        loss = step()
    value = loss.item()  # waits for the GPU
    return (perf_counter() - begin) / steps, value


# %%
# The loop and its replay begin with the same weights, and take turns. Both wait for the last loss.

rows = []
for name, width, batch, steps in (("small", 64, 100, 50), ("wide", 4096, 4000, 20)):
    if not has_gpu:
        break
    loop, replay = step_of(width, batch, False), step_of(width, batch, True)
    seconds(loop, WARM_UP)
    turns = [(seconds(loop, steps), seconds(replay, steps)) for _ in range(ROUNDS)]
    (_, loss), (_, loss_replayed) = turns[0]
    turns = turns[2:]  # drop the first turns: the GPU is still speeding up
    samples = {
        "loop_s": [taken for (taken, _), _ in turns],
        "replay_s": [taken for _, (taken, _) in turns],
        "speedup": [a / b for (a, _), (b, _) in turns],
    }
    row = {key: {"samples": values} for key, values in samples.items()}
    agree = abs(loss - loss_replayed) <= 0.01 * loss
    rows.append({"model": name, "losses_agree": agree} | row)
    ratio = median(samples["speedup"])
    print(f"{name}: {ratio:.2f} times as fast; loss {loss:.3f}, {loss_replayed:.3f}")
if not has_gpu:
    print("no GPU here: the loop ran without a graph")
measured = {"by_model": {"table": rows}}
