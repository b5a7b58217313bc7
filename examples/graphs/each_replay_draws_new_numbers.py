"""
Each replay draws new numbers
=============================

Is the dropout mask the same in each replay? It is not: a replay reads the state of the generator,
and draws what the same calls would draw. Another generator needs to be registered up to 2.13.
"""

# sphinx_gallery_quiet = "nothing"
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


def twice(generator=None):
    draws = [torch.rand(SIZE, device="cuda", generator=generator) for _ in "ab"]
    return torch.stack(draws)


def masked():
    return dropout(dropout(x))


def captured(draw, *generators):
    draw()
    graph = torch.cuda.CUDAGraph()
    if torch.__version__ < (2, 14):  # later, a capture registers what it uses
        for generator in generators:
            graph.register_generator_state(generator)
    with torch.cuda.graph(graph):
        y = draw()

    def replay():
        graph.replay()
        return y.clone()

    return replay


def distinct(draws):
    return len(torch.stack(draws).unique(dim=0))


# %%
# Random numbers come from PyTorch's generator on the GPU, from another one, from the host, or from
# a state of cuDNN. Do calls and replays repeat after the seed?

CASES = {
    "dropout": (masked, torch.manual_seed, []),
    "rand": (twice, torch.manual_seed, []),
    "own generator": (lambda: twice(own), own.manual_seed, [own]),
    "host": (lambda: x * random.random(), random.seed, []),
}
for name in ("LSTM", "GRU", "RNN"):
    rnn = getattr(torch.nn, name)(64, 64, 2, dropout=0.5).cuda().requires_grad_(False)
    CASES[name] = (lambda rnn=rnn: rnn(x.view(16, 64, 64))[0], torch.manual_seed, [])
rows, draws = [], {}
for name, (draw, seed, generators) in CASES.items():
    replay = captured(draw, *generators)
    row = {"case": name, "distinct": distinct([replay() for _ in range(TRIES)])}
    ways = {"calls": draw, "again": draw, "replays": replay, "later": replay}
    for way, one in ways.items():
        seed(7)
        draws[way] = [one() for _ in range(TRIES)]
    row["calls_distinct"] = distinct(draws["calls"])
    row["calls_repeat"] = sum(map(torch.equal, draws["again"], draws["calls"]))
    row["as_without"] = sum(map(torch.equal, draws["replays"], draws["calls"]))
    row["replays_repeat"] = sum(map(torch.equal, draws["later"], draws["replays"]))
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
    mixed += [first(), masked(), second()]
in_one_sequence = sum(torch.equal(*pair) for pair in zip(mixed, without))

# %%
# A capture itself draws nothing. May a generator be used that was not registered?

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
measured = {"tries": TRIES, "by_case": {"table": rows}, "mixed": 3 * TRIES}
measured |= {"in_one_sequence": in_one_sequence, "unregistered": error}
measured["leaves_the_state"] = leaves_the_state
