"""
A moved weight is recorded anew
===============================

When does ``mode="reduce-overhead"`` record a graph again? If a weight has moved to new memory, and
once more for each size after a compilation for all sizes. In training, a size takes two graphs.
"""

# sphinx_gallery_evidence = {"fresh": True, "timeout": 180, "expected_warnings": [".*"]}
# sphinx_gallery_quiet = "nothing"
import torch

captures, old, enter = [], [], torch.cuda.graph.__enter__


def counted(self):
    captures.append(self)
    return enter(self)


torch.cuda.graph.__enter__ = counted
model = torch.nn.Linear(64, 64).cuda().requires_grad_(False)
compiled, x = torch.compile(model, mode="reduce-overhead"), torch.ones(8, 64).cuda()
for _ in range(5):
    captures.clear()
    compiled(x)
    print(len(captures), "graphs")  # first an empty one, with which PyTorch begins
    old.append(model.weight.data)  # this memory is not free for the new weight
    model.weight.data = model.weight.data.clone()

# %%
# Before each call, a weight gets other values: in place, in new memory, or in two places by turns.
# How many graphs are recorded once the function has warmed up and recorded one, and how many
# results are right? The empty graph is captured before, by another function.

import gc

from torch._dynamo.utils import counters

WARM, CALLS = 2, 10


def other(x):
    return x.sin()


def begin(function, **kind):
    torch.compiler.reset()
    gc.collect()  # a graph that is freed during a capture ends it
    counters.clear()
    torch.compile(other, mode="reduce-overhead")(x)
    return torch.compile(function, mode="reduce-overhead", **kind)


def in_place(weight, _):
    weight.neg_()


def in_new_memory(weight, _):
    old.append(weight.data)
    weight.data = -weight


def in_two_places(weight, call):
    weight.data = old[call % 2]


def moved(change):
    old[:] = [torch.randn_like(model.weight) for _ in range(2)]
    compiled, recorded, right = begin(model), [], 0
    for call in range(WARM + CALLS):
        change(model.weight, call)
        captures.clear()
        result = compiled(x)
        recorded.append(len(captures))
        right += torch.allclose(result, x @ model.weight.T + model.bias, atol=1e-4)
    row = {"case": change.__name__, "graphs": sum(recorded[WARM:]), "right": right}
    return row | {"recording_calls": sum(map(bool, recorded[WARM:]))}


moves = [moved(change) for change in (in_place, in_new_memory, in_two_places)]

# %%
# Three calls with one size, three with another and three with the first again: how often does each
# compile, and how many graphs does it record? The last rows are training steps.


def changes_nothing(x):
    return (x * 2).sin()


def by_call(name, call, samples):
    for times, size in zip(("at first", "another", "again"), samples):
        found = []
        for _ in range(3):
            captures.clear()
            before = counters["stats"]["unique_graphs"]
            call(torch.ones(size, device="cuda"))
            found.append((len(captures), counters["stats"]["unique_graphs"] - before))
        graphs, compiled = zip(*found)
        row = {"case": f"{name}, {times}", "compiled": sum(compiled)}
        yield row | dict(zip(("first", "second", "third"), graphs))


rows = []
for name, dynamic in {"automatic": None, "dynamic": True, "static": False}.items():
    compiled = begin(changes_nothing, dynamic=dynamic)
    rows += by_call(name, compiled, ((1000,), (1001,), (1000,)))
trained = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.Tanh()).cuda()
compiled = begin(trained, dynamic=True)


def step(x):
    trained.zero_grad()
    compiled(x).square().mean().backward()


rows += by_call("training", step, ((8, 64), (9, 64), (8, 64)))
print(*moves, *rows, sep="\n")
measured = {"calls": CALLS, "all_calls": WARM + CALLS, "by_size": {"table": rows}}
measured["by_move"] = {"table": moves}
