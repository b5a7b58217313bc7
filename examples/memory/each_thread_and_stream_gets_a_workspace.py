"""
Each thread and stream gets a workspace
=======================================

Does a linear layer leak? No: each product takes a workspace for cuBLAS. Up to PyTorch 2.14, the
first one in a thread and a stream stays allocated; from 2.15 on, each call gives its own back,
unless a variable asks for the former behavior.
"""

# sphinx_gallery_quiet = "nothing"
import torch

MIB = 2**20
layer = torch.nn.Linear(256, 256, bias=False, device="cuda")
x = torch.zeros(256, 256, device="cuda")
for step in range(3):
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    with torch.no_grad():
        layer(x)
    kept = torch.cuda.memory_allocated() - before
    peak = torch.cuda.max_memory_allocated() - before
    print(f"call {step}: {kept / MIB:.0f} MiB stay, {peak / MIB:.0f} MiB at most")

# %%
# What stays is counted after each call, and what was there at most within it. Products write into a
# tensor that is there already, and the gradient is there before backward: nothing else stays.
# Backward runs in a thread of autograd. A thread that ends hands its handle and workspaces on to
# the next. PyTorch has 32 streams of a priority, which it hands out in turn.

PROGRAM = """
import json, threading, time
import torch

a, b, c = (torch.zeros(256, 256, device="cuda") for _ in range(3))
weight = torch.zeros(256, 256, device="cuda", requires_grad=True)
weight.grad = torch.zeros_like(weight)
side = torch.cuda.Stream()

def product():
    torch.mm(a, b, out=c)

def in_stream(stream):
    with torch.cuda.stream(stream):
        product()

def in_streams():
    for _ in range(100):
        in_stream(torch.cuda.Stream())

def in_thread():
    # A product that is the first call in a thread warns that there is no context.
    thread = threading.Thread(target=lambda: (c.zero_(), product()))
    thread.start()
    thread.join()
    time.sleep(0.1)  # what the thread held is handed back after its end

def forward():
    (a @ weight).sum()

def backward():
    (a @ weight).sum().backward()

CALLS = {
    "first": product,
    "second": product,
    "first in a stream": lambda: in_stream(side),
    "second in a stream": lambda: in_stream(side),
    "forward": forward,
    "first backward": backward,
    "second backward": backward,
    "first in a thread": in_thread,
    "in the next thread": in_thread,
    "100 streams": in_streams,
    "empty_cache": torch.cuda.empty_cache,
    "dropped": torch._C._cuda_clearCublasWorkspaces,  # documented, despite its name
    "again": product,
}
for name, call in CALLS.items():
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    before, reserved = torch.cuda.memory_allocated(), torch.cuda.memory_reserved()
    call()
    torch.cuda.synchronize()
    kept = torch.cuda.memory_allocated() - before
    peak = torch.cuda.max_memory_allocated() - before
    grown = torch.cuda.memory_reserved() - reserved
    row = {"kept_bytes": kept, "peak_bytes": peak, "reserved_bytes": grown}
    print(json.dumps({"call": name} | row))
"""

# %%
# PyTorch reads the variable when it first needs a workspace, so each setting gets a program. Before
# 2.15, the variable is unknown, and both keep workspaces.

import json
import os
import subprocess
import sys


def rows_with(**variables):
    environment = dict(os.environ)
    for name in ("CUBLAS_WORKSPACE_CONFIG", "TORCH_CUBLAS_WORKSPACE_CACHE"):
        environment.pop(name, None)
    command = [sys.executable, "-c", PROGRAM]
    pipes = {"capture_output": True, "text": True, "check": True}
    said = subprocess.run(command, env=environment | variables, **pipes)
    return [json.loads(line) for line in said.stdout.splitlines()]


by_call = rows_with()
cached = rows_with(TORCH_CUBLAS_WORKSPACE_CACHE="1")
print("as it is:", *by_call, "with the variable:", *cached, sep="\n")
measured = {"by_call": {"table": by_call}, "cached": {"table": cached}}
