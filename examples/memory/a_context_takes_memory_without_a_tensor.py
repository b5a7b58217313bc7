"""
A context takes memory without a tensor
=======================================

What does a process take on the GPU before its first tensor? Hundreds of MiB: CUDA's context.
Each library that loads its kernels adds to that, and with ``CUDA_MODULE_LOADING=EAGER`` all
kernels are loaded at once. PyTorch counts none of it.
"""

# sphinx_gallery_evidence = {"processes": 3}
import os
import subprocess

GPU = os.environ.get("CUDA_VISIBLE_DEVICES", "0").partition(",")[0]
MIB = 2**20


def used_bytes():
    query = "--query-gpu=memory.used --format=csv,noheader,nounits"
    command = ["nvidia-smi", *query.split(), f"--id={GPU}"]
    return int(subprocess.check_output(command, text=True)) * MIB


print(f"{used_bytes() // MIB} MiB are used on the GPU, by all processes")

# %%
# The program stops after each stage until it gets a line, so that ``nvidia-smi`` can be asked from
# outside. The parent has no context of its own.

import json
import sys

STAGES = """
import json, sys, torch

def stage(name):
    reserved = 0
    if torch.cuda.is_initialized():
        torch.cuda.synchronize()
        reserved = torch.cuda.memory_reserved()
    print(json.dumps([name, reserved]), flush=True)
    sys.stdin.readline()

stage("imported")
count = torch.cuda.device_count()
stage("counted")
torch.cuda.init()
torch.cuda.synchronize()
stage("context")
x = torch.empty(256, 256, device="cuda")
stage("empty")
x.fill_(1)
stage("kernel")
y = x @ x
stage("product")
z = torch.nn.functional.conv2d(x.view(1, 1, 256, 256), x[:3, :3].reshape(1, 1, 3, 3))
stage("convolution")
"""


def start(loading):
    environment = os.environ | {"CUDA_MODULE_LOADING": loading}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    command = [sys.executable, "-c", STAGES]
    return subprocess.Popen(command, env=environment, **pipes)


# %%
# For each stage: what the GPU holds more than before the programs, and what of it is PyTorch's.
# Both start at once, and the second goes on when the first has ended.


def watch(process):
    found = {}
    with process:
        for line in process.stdout:
            name, reserved = json.loads(line)
            taken = used_bytes() - before
            found[name] = {"taken_bytes": taken, "outside_bytes": taken - reserved}
            process.stdin.write("\n")
            process.stdin.flush()
    return found


before = used_bytes()
programs = start("LAZY"), start("EAGER")
lazy, eager = map(watch, programs)
for name in lazy:
    print(name, lazy[name]["taken_bytes"] // MIB, eager[name]["taken_bytes"] // MIB)

# %%
# The sizes depend on the GPU, the driver and the libraries.

table = [
    {"stage": name}
    | {f"lazy_{key}": {"samples": [v]} for key, v in lazy[name].items()}
    | {f"eager_{key}": {"samples": [v]} for key, v in eager[name].items()}
    for name in lazy
]
context = lazy["context"]["taken_bytes"]
product, kernel = (lazy[name]["outside_bytes"] for name in ("product", "kernel"))
measured = {
    "stages": {"table": table},
    "eager_over_lazy_ratio": {"samples": [eager["context"]["taken_bytes"] / context]},
    "product_added_bytes": {"samples": [product - kernel]},
}
