"""
The workspace follows its variable
==================================

How large is the workspace of cuBLAS, and may it be smaller? ``CUBLAS_WORKSPACE_CONFIG`` lists sizes
in KiB and counts: PyTorch takes their sum. A linear layer with a bias runs in cuBLASLt: what does
it take besides its result?
"""

# sphinx_gallery_evidence = {"processes": 3}
import json
import os
import subprocess
import sys

PROGRAM = """
import json, time
import torch
input()  # until it is its turn

def taken_by(call):
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    call()
    torch.cuda.synchronize()
    return torch.cuda.max_memory_allocated() - before

a, b, c = (torch.zeros(256, 256, device="cuda") for _ in range(3))
bias = torch.zeros(256, device="cuda")
workspace = taken_by(lambda: torch.mm(a, b, out=c))
linear = taken_by(lambda: torch.nn.functional.linear(a, b, bias)) - c.nbytes

def seconds(x, y, out):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(10):
        torch.mm(x, y, out=out)
    torch.cuda.synchronize()
    return (time.perf_counter() - begin) / 10

def timed(rows, depth):
    x = torch.randn(rows, depth, device="cuda", dtype=torch.bfloat16)
    y = torch.randn(depth, rows, device="cuda", dtype=torch.bfloat16)
    out = torch.empty(rows, rows, device="cuda", dtype=torch.bfloat16)
    until = time.perf_counter() + 0.1
    while time.perf_counter() < until:
        seconds(x, y, out)
    return sorted(seconds(x, y, out) for _ in range(9))[4]

times = timed(4096, 4096), timed(256, 65536)
print(json.dumps([workspace, linear, *times]))
"""

# %%
# PyTorch reads the variable when it first needs a workspace: each value gets a program. All import
# PyTorch at once, and then take turns, since they are timed: a square product, and one of a small
# result from long rows, whose parts are summed up in the workspace. The last one has the default
# again, so that the order of the programs is known not to matter. Memory is counted at its peak,
# since PyTorch 2.15 gives each workspace back when its product ends.

VALUES = ("unset", ":4096:2:16:8", ":4096:8", ":16:8", ":0:0", "unset again")


def start(value):
    environment = dict(os.environ)
    for name in ("CUBLAS_WORKSPACE_CONFIG", "CUBLASLT_WORKSPACE_SIZE"):
        environment.pop(name, None)
    if not value.startswith("unset"):
        environment["CUBLAS_WORKSPACE_CONFIG"] = value
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-c", PROGRAM], env=environment, **pipes)


programs = {value: start(value) for value in VALUES}
answers = {value: json.loads(p.communicate("\n")[0]) for value, p in programs.items()}
_, _, default_square, default_deep = answers["unset"]

# %%
# Times are relative to those of the default workspace.

table = []
for value, (workspace, linear, square, deep) in answers.items():
    row = {"value": value, "workspace_bytes": workspace, "linear_bytes": linear}
    row |= {"square_slowdown": {"samples": [square / default_square]}}
    row |= {"deep_slowdown": {"samples": [deep / default_deep]}}
    table.append(row)
    print(row, square, deep)
measured = {"values": {"table": table}}
