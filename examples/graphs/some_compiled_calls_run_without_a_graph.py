"""
Some compiled calls run without a graph
=======================================

Does ``mode="reduce-overhead"`` replay a graph in each call? Not if the function changes its input,
and nothing says so. Work on the CPU splits the graph, and each new size is recorded anew.
"""

# sphinx_gallery_evidence = {"fresh": True, "timeout": 120, "expected_warnings": [".*"]}
# sphinx_gallery_quiet = "nothing"
import torch
from torch.profiler import ProfilerActivity, profile

x, BOTH = torch.ones(1000, device="cuda"), [ProfilerActivity.CPU, ProfilerActivity.CUDA]


def graphs_in_a_call(function):
    torch.compiler.reset()
    compiled = torch.compile(function, mode="reduce-overhead")
    for _ in range(4):  # warm-up, recording, replays
        compiled(x)
    torch.cuda.synchronize()
    with profile(activities=BOTH, acc_events=True) as seen:
        compiled(x)
        torch.cuda.synchronize()
    return sum(event.name == "cudaGraphLaunch" for event in seen.events())


print(graphs_in_a_call(lambda x: x.mul_(2).sin()), "graphs")

# %%
# The same count for functions that do not change their input, that change a copy of it or a buffer,
# and that work on the CPU in between.


class ChangesABuffer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.total = torch.nn.Buffer(torch.zeros(1000, device="cuda"))

    def forward(self, x):
        return self.total.add_(x).sin()


def changes_nothing(x):
    return (x * 2).sin()


def changes_a_copy(x):
    return x.clone().mul_(2).sin()


def works_on_the_cpu(x):
    half = (x * 2).cpu() + 1
    return (x + half.to("cuda")).sin()


cases = {
    "input": lambda x: x.mul_(2).sin(),
    "nothing": changes_nothing,
    "copy": changes_a_copy,
    "buffer": ChangesABuffer(),
    "cpu": works_on_the_cpu,
}
rows = [{"case": n, "graphs": graphs_in_a_call(f)} for n, f in cases.items()]
print(*rows, sep="\n")

# %%
# How many graphs are recorded for inputs of a dozen sizes? And in how many new pools are they?

import gc

captures, enter = [], torch.cuda.graph.__enter__


def counted(self):
    captures.append(self)
    return enter(self)


def pools():
    return {part["segment_pool_id"] for part in torch.cuda.memory_snapshot()}


torch.cuda.graph.__enter__ = counted
torch.compiler.reset()
gc.collect()
before = pools()
SIZES = range(1000, 1012)
dynamic = torch.compile(changes_nothing, mode="reduce-overhead", dynamic=True)
other = torch.compile(changes_a_copy, mode="reduce-overhead")
for size in (999, *SIZES):
    for _ in range(3):
        dynamic(torch.ones(size, device="cuda"))
    if size == 999:
        captures.clear()  # those of the dozen alone count
recorded = len(captures)
for _ in range(3):
    other(x)
torch.cuda.graph.__enter__ = enter
new_pools = len(pools() - before)

# %%
# A setting turns what would be skipped into an error.

torch.compiler.reset()
says = "nothing"
torch._inductor.config.triton.cudagraph_or_error = True
try:
    for _ in range(3):
        torch.compile(cases["input"], mode="reduce-overhead")(x)
except Exception as error:
    says = str(error).splitlines()[0].split(".")[0]

measured = {"by_case": {"table": rows}, "sizes": len(SIZES), "recorded": recorded}
measured |= {"pools": new_pools, "error_says": says}
print(measured)
