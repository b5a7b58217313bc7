"""
A graph replays a small step
============================

Can the launches of my small loop be spared? A CUDA graph records a step once, and replays it with a
single launch: the small model trains many times as fast. A wide model, of long kernels, gains none.
"""

# sphinx_gallery_evidence = {"expected_warnings": [".*capturable=True", ".*AccumulateGrad"]}
import torch
from torch import nn

has_gpu = torch.cuda.is_available()
device = "cuda" if has_gpu else "cpu"
torch.manual_seed(0)
x = (torch.rand(100, 2) * 2 - 1).to(device)  # stays where it is, as do the labels
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
    new_x = (torch.rand(100, 2) * 2 - 1).to(device)
    new_y = (new_x.norm(dim=1) > 0.5).long() + (new_x.norm(dim=1) > 0.9).long()
    x.copy_(new_x)  # into the tensors that the graph reads
    y.copy_(new_y)
    loss = one_step()
print(f"loss {loss.item():.3f}")

# %%
# The same for any width and batch, as a loop or as a graph.

from statistics import median
from time import perf_counter


def step_of(width, size, is_graph):
    torch.manual_seed(0)
    x = (torch.rand(size, 2) * 2 - 1).to(device)
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
    return loss.item(), (perf_counter() - begin) / steps  # item() waits for the GPU


# %%
# The loop and its replay begin with the same weights, and take turns.


def turns(width, size, steps):
    loop, replay = step_of(width, size, False), step_of(width, size, True)
    seconds(loop, 3)  # as many steps as the graph has before its first replay
    return [(seconds(loop, steps), seconds(replay, steps)) for _ in range(7)]


SIZES = {"small": (64, 100, 50), "wide": (4096, 4000, 20)} if has_gpu else {}
results = {name: turns(*size) for name, size in SIZES.items()}
for name, pairs in results.items():
    (loss, _), (replayed, _) = pairs[0]
    ratio = median(a / b for (_, a), (_, b) in pairs[2:])  # the first raise the clock
    print(f"{name}: {ratio:.2f} times as fast; loss {loss:.3f}, {replayed:.3f}")
if not has_gpu:
    print("no GPU here: the loop ran without a graph")

# %%
# For the record: all turns but the first two.

rows = []
for name, pairs in results.items():
    (loss, _), (replayed, _) = pairs[0]
    row = {"model": name, "losses_agree": abs(loss - replayed) <= 0.01 * loss}
    samples = zip(*((a, b, a / b) for (_, a), (_, b) in pairs[2:]))
    for key, values in zip(("loop_s", "replay_s", "speedup"), samples):
        row[key] = {"samples": list(values)}
    rows.append(row)
measured = {"by_model": {"table": rows}}
