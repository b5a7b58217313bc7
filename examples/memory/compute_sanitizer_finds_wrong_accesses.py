"""
compute-sanitizer finds wrong accesses
======================================

Does a kernel read or write memory that is not its own? NVIDIA's compute-sanitizer finds out, if
PyTorch's cache is turned off: a block in the cache lies in a larger segment, and for the tool all
of that segment may be used.
"""

# sphinx_gallery_evidence = {"timeout": 600}
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
# Four programs. Another library may hand over memory by the CUDA array interface: in one program
# with twice the true length, in one with the memory of a tensor that is then deleted.

import json
import os
import re
import shutil
import subprocess
import sys
import unittest

PLACES = os.environ.get("PATH", "") + ":/usr/local/cuda/bin"
TOOL = shutil.which("compute-sanitizer", path=PLACES)
if TOOL is None:
    raise unittest.SkipTest("compute-sanitizer is not installed")

PROGRAM = f"""
import json, sys, traceback
import torch

kernel = torch.cuda._compile_kernel('''{SOURCE}''', "double_all")
x = torch.ones(1024, device="cuda")

class Foreign:
    def __init__(self, count):
        self.__cuda_array_interface__ = dict(
            shape=(count,), typestr="<f4", data=(x.data_ptr(), False), version=2
        )

def right():
    return torch.as_tensor(Foreign(1024), device="cuda").sum().item()

def one_too_many():
    kernel(grid=(5, 1, 1), block=(256, 1, 1), args=[x, 1024])
    return x.sum().item()

def too_long():
    return torch.as_tensor(Foreign(2048), device="cuda").sum().item()

def deleted():
    global x
    view = torch.as_tensor(Foreign(1024), device="cuda")
    del x
    return view.sum().item()

"""
PROGRAM += """
said, line = "no error", 0
try:
    globals()[sys.argv[1]]()
    torch.cuda.synchronize()
except Exception as error:
    said = type(error).__name__
    frames = traceback.extract_tb(error.__traceback__)
    line = next((f.lineno for f in frames if f.name == sys.argv[1]), 0)
print("FOUND" + json.dumps([said, line]), flush=True)
"""

# %%
# Each runs alone, under the tool, and under it without the cache. Launches wait: errors name lines.

CASES = ("right", "one_too_many", "too_long", "deleted")
WAYS = {"alone": (False, True), "cached": (True, True), "uncached": (True, False)}


def start(case, with_tool, cached):
    environment = {**os.environ, "CUDA_LAUNCH_BLOCKING": "1"}
    if not cached:
        environment["PYTORCH_NO_CUDA_MEMORY_CACHING"] = "1"
    command = [TOOL, "--tool", "memcheck"] * with_tool + [sys.executable, "-c"]
    pipe = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    return subprocess.Popen([*command, PROGRAM, case], env=environment, **pipe)


processes = {(c, w): start(c, *WAYS[w]) for w in WAYS for c in CASES}
output = {key: process.communicate()[0] for key, process in processes.items()}

# %%
# What the tool says first, which kernel it names, and where the traceback ends.

rows = []
for case in CASES:
    row = {"case": case}
    for way in WAYS:
        text = output[case, way]
        said, line = json.loads(re.search(r"FOUND(\[.*\])", text)[1])
        row[f"{way}_raised"] = said
        row[f"{way}_found"] = "Invalid __global__" in text
    report = re.search(r"Invalid __global__ (\w+ of size \d+)", text)
    row["reported"] = report[1] if report else "nothing"
    row["kernel_is_named"] = "double_all" in text
    row["line"] = PROGRAM.splitlines()[line - 1].strip() if line else "none"
    rows.append(row)
    print(text[:1500], row)

measured = {"by_case": {"table": rows}}
