"""
A branch on the GPU needs a compiled graph
==========================================

Can a graph take a branch by a value of the GPU? ``torch.cond`` in a function that is compiled with
``backend="cudagraphs"`` puts both branches into the graph, and each replay takes one of them.
"""

# sphinx_gallery_evidence = {"fresh": True, "timeout": 120, "expected_warnings": [".*"]}
# sphinx_gallery_quiet = "nothing"
import torch


def double(x):
    return x * 2


def halve(x):
    return x / 2


def step(x):
    return torch.cond(x.sum() > 0, double, halve, (x,))


compiled = torch.compile(step, backend="cudagraphs")
for value in (1.0, -1.0, 2.0, -2.0, 3.0, -3.0):
    print(value, compiled(torch.full((4,), value, device="cuda")).tolist())

# %%
# How many graphs does a call replay, and how often does the host wait for the GPU?

import warnings

VALUES = (1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 4.0, -4.0)
replays, replay = [], torch.cuda.CUDAGraph.replay


def counted(self):
    replays.append(1)
    return replay(self)


torch.cuda.CUDAGraph.replay = counted


def right(function):
    count = 0
    for value in VALUES:
        x = torch.full((4,), value, device="cuda")
        wanted = value * 2 if value > 0 else value / 2
        count += function(x).eq(wanted).all().item()
    return count


def waits(function, x):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        torch.cuda.set_sync_debug_mode("warn")
        function(x)
        torch.cuda.set_sync_debug_mode("default")
    return sum("called a synchronizing" in str(warning.message) for warning in seen)


def row(name, function):
    found = {"way": name, "right": 0, "graphs": 0, "waits": 0, "error": "none"}
    try:
        found["right"] = right(function)
        replays.clear()
        found["waits"] = waits(function, torch.ones(4, device="cuda"))
        found["graphs"] = len(replays)
    except Exception as error:
        found["error"] = type(error).__name__
    print(found)
    return found


# %%
# Compiled in three ways, and not at all. And with both branches computed, which needs no condition.


def chosen(x):
    return torch.where(x.sum() > 0, double(x), halve(x))


WAYS = {
    "eager": step,
    "default": torch.compile(step),
    "cudagraphs": compiled,
    "reduce-overhead": torch.compile(step, mode="reduce-overhead"),
    "where, reduce-overhead": torch.compile(chosen, mode="reduce-overhead"),
}
rows = [row(name, function) for name, function in WAYS.items()]

# %%
# A capture by ``torch.cuda.graph`` comes last, since it may fail.

says, static_input = "nothing", torch.ones(4, device="cuda")
step(static_input)
try:
    with torch.cuda.graph(torch.cuda.CUDAGraph()):
        step(static_input)
except Exception as error:
    says = str(error.__context__ or error).splitlines()[0]
print(says)

measured = {"calls": len(VALUES), "by_way": {"table": rows}, "by_hand_says": says}
