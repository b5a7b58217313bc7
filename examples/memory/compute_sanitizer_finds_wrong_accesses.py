"""
compute-sanitizer finds wrong accesses
======================================

Does a kernel read or write memory that is not its own? NVIDIA's compute-sanitizer finds out, if
PyTorch's cache is off: in the cache, a block lies in a larger segment that the tool allows.
"""

# sphinx_gallery_evidence = {"timeout": 240, "processes": 1}
# sphinx_gallery_quiet = "nothing"
import torch

SOURCE = """
extern "C" __global__ void double_all(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) x[i] *= 2;  // one too many
}
"""
double_all = torch.cuda._compile_kernel(SOURCE, "double_all")
x = torch.ones(1024, device="cuda")
double_all(grid=(5, 1, 1), block=(256, 1, 1), args=[x, x.numel()])
print(x.sum().item())  # as it should be, and no error

# %%
# Another library may hand over memory by the CUDA array interface: in one case with twice the true
# length, in two with that of a deleted tensor, of which one is replaced. A capture is right, too.

import os
import re
import shutil
import subprocess
import sys
import unittest

PATH = os.environ.get("PATH", "") + ":/usr/local/cuda/bin"
if (TOOL := shutil.which("compute-sanitizer", path=PATH)) is None:
    raise unittest.SkipTest("compute-sanitizer is not installed")

PROGRAM = f"""
import json, sys, traceback
import torch
kernel = torch.cuda._compile_kernel('''{SOURCE}''', "double_all")
x = torch.ones(1024, device="cuda")

class Foreign:
    def __init__(self, count):
        given = dict(shape=(count,), typestr="<f4", data=(x.data_ptr(), False))
        self.__cuda_array_interface__ = dict(given, version=2)

def right():
    torch.as_tensor(Foreign(1024), device="cuda").sum()
def captured():
    with torch.cuda.graph(torch.cuda.CUDAGraph()):
        x + 1
def one_too_many():
    kernel(grid=(5, 1, 1), block=(256, 1, 1), args=[x, 1024])
def too_long():
    torch.as_tensor(Foreign(2048), device="cuda").sum()
def replaced():
    global x
    view = torch.as_tensor(Foreign(1024), device="cuda")
    del x
    x = torch.zeros(1024, device="cuda")
    assert view.sum() == 0  # the sum of the new tensor
def deleted():
    global x
    view = torch.as_tensor(Foreign(1024), device="cuda")
    del x
    view.sum()
"""
PROGRAM += """
for name in sys.argv[1:]:
    said, line = "no error", 0
    try:
        globals()[name]()
        torch.cuda.synchronize()
    except Exception as error:
        said, frames = type(error).__name__, traceback.extract_tb(error.__traceback__)
        line = next((f.lineno for f in frames if f.name == name), 0)
    print("FOUND" + json.dumps([name, said, line]), flush=True)
"""

# %%
# They share a process alone, and one under the tool; without the cache each has its own, since what
# is found ends the work on the GPU. Launches wait: errors name lines.
CASES = ("right", "captured", "one_too_many", "too_long", "replaced", "deleted")


def start(cases, with_tool, **variables):
    environment = os.environ | {"CUDA_LAUNCH_BLOCKING": "1"} | variables
    command = [TOOL, "--tool", "memcheck"] * with_tool + [sys.executable, "-c"]
    pipe = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    return subprocess.Popen([*command, PROGRAM, *cases], env=environment, **pipe)


alone, cached = start(CASES, with_tool=False), start(CASES, with_tool=True)
uncached = {c: start([c], True, PYTORCH_NO_CUDA_MEMORY_CACHING="1") for c in CASES}
alone, cached = alone.communicate()[0], cached.communicate()[0]
uncached = {case: process.communicate()[0] for case, process in uncached.items()}


def told(case, text):
    if found := re.search(rf'FOUND\["{case}", "([^"]*)", (\d+)\]', text):
        return found[1], int(found[2])
    ended = re.search(r"terminate called after throwing an instance of '(.+)'", text)
    return f"terminated by {ended[1]}" if ended else "nothing", 0


rows = []
for case, text in uncached.items():
    print(case, text[:700], "...", text[-700:], sep="\n")
    raised, line = told(case, text)
    row = {"case": case, "alone_raised": told(case, alone)[0], "raised": raised}
    first = re.search(r"^=+ (?!COMPUTE|ERROR)(\w.*)", text, re.MULTILINE)
    row["reported"] = first[1] if first else "nothing"
    row["line"] = PROGRAM.splitlines()[line - 1].strip() if line else "none"
    row |= {"found": "Invalid __global__" in text, "named": "double_all" in text}
    rows.append(row)
fine = sum(told(case, cached)[0] == "no error" for case in CASES)
measured = {"by_case": {"table": rows}, "cases": len(CASES), "cached_fine": fine}
measured["cached_found"] = cached.count("Invalid __global__")
