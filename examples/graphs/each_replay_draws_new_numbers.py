"""
Each replay draws new numbers
=============================

Is the dropout mask the same in each replay? It is not: a replay reads the state of the generator,
and draws what the same calls would draw without a graph. Other generators must be registered.
"""

import torch

dropout = torch.nn.Dropout()
x = torch.ones(8, device="cuda")
dropout(x)  # the warm-up
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    y = dropout(x)
for _ in range(3):
    graph.replay()
    print(y.tolist())

# %%
# Larger masks, two in each replay, are compared bit for bit with those of the same calls.

import random

TRIES, SIZE = 20, 2**16
x = torch.ones(SIZE, device="cuda")
own = torch.Generator("cuda").manual_seed(0)
lstm = torch.nn.LSTM(64, 64, 2, dropout=0.5).cuda()


def twice(generator=None):
    return torch.stack(
        [torch.rand(SIZE, device="cuda", generator=generator) for _ in "ab"]
    )


def masked():
    return dropout(dropout(x))


def captured(draw, *generators):
    draw()
    graph = torch.cuda.CUDAGraph()
    for generator in generators:
        graph.register_generator_state(generator)
    with torch.cuda.graph(graph):
        y = draw()
    return graph, y


def replayed(graph, y):
    graph.replay()
    return y.clone()


def distinct(draws):
    return sum(
        all(not torch.equal(a, b) for b in draws[:i]) for i, a in enumerate(draws)
    )


# %%
# Random numbers come from PyTorch's generator on the GPU, from another one, from the host, or from
# a state of cuDNN. Do the calls repeat after the seed, without a graph?

CASES = {
    "dropout": (masked, torch.manual_seed, []),
    "rand": (twice, torch.manual_seed, []),
    "own generator": (lambda: twice(own), own.manual_seed, [own]),
    "host": (lambda: x * random.random(), random.seed, []),
    "LSTM": (lambda: lstm(x.view(16, 64, 64))[0].detach(), torch.manual_seed, []),
}
rows = []
for name, (draw, seed, generators) in CASES.items():
    pair = captured(draw, *generators)
    row = {"case": name, "distinct": distinct([replayed(*pair) for _ in range(TRIES)])}
    seed(7)
    without = [draw().clone() for _ in range(TRIES)]
    seed(7)
    row["calls_repeat"] = sum(torch.equal(draw(), wanted) for wanted in without)
    seed(7)
    row["as_without"] = sum(torch.equal(replayed(*pair), wanted) for wanted in without)
    rows.append(row)
print(*rows, sep="\n")

# %%
# Two graphs take turns with calls outside: do all of them draw from one sequence?

first, second = captured(masked), captured(masked)
torch.manual_seed(7)
without = [masked() for _ in range(3 * TRIES)]
torch.manual_seed(7)
mixed = []
for _ in range(TRIES):
    mixed += [replayed(*first), masked(), replayed(*second)]
in_one_sequence = sum(torch.equal(*pair) for pair in zip(mixed, without))

# %%
# A capture itself draws nothing. A generator that was not registered cannot be used.

torch.manual_seed(7)
wanted = masked()
torch.manual_seed(7)
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    y = masked()
leaves_the_state = torch.equal(masked(), wanted)

other, error = torch.Generator("cuda"), "none"
try:
    with torch.cuda.graph(torch.cuda.CUDAGraph()):
        y = x * 2
        x.uniform_(generator=other)
except RuntimeError as raised:
    error = raised
print(in_one_sequence, leaves_the_state, error)
measured = {"tries": TRIES, "by_case": {"table": rows}, "mixed": 3 * TRIES}
measured |= {"in_one_sequence": in_one_sequence, "unregistered": error}
measured["leaves_the_state"] = leaves_the_state
