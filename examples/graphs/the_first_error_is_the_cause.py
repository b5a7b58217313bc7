"""
The first error is the cause
============================

A capture has failed: which line is to blame? The traceback ends with an error of the capture's end,
which says only that something failed before. The error above it names the line.
"""

# sphinx_gallery_quiet = "nothing"
import torch

x = torch.ones(1000, device="cuda")


def check(y):
    return y.sum().item()  # waits for the GPU: nothing that a graph can hold


check(x * 2)  # outside of a capture, it works
error = None
try:
    with torch.cuda.graph(torch.cuda.CUDAGraph()):
        check(x * 2)
except RuntimeError as raised:
    error = raised
for found in (error, error.__context__):
    print(str(found).splitlines()[0])

# %%
# What do the two errors say, and which functions do their tracebacks go through?

import re
import traceback


def told(found):
    names = [frame.name for frame in traceback.extract_tb(found.__traceback__)]
    return {
        "type": type(found).__name__,
        "says": str(found).splitlines()[0],
        "name": (re.findall(r"cudaError\w+", str(found)) or ["none"])[0],
        "through_check": "check" in names,
    }, names[-1]


(last, place), (first, _) = told(error), told(error.__context__)
print(last, first, sep="\n")

measured = {
    "last_ends_in": place,
    **{f"last_{name}": value for name, value in last.items()},
    **{f"first_{name}": value for name, value in first.items()},
}
