"""
Some calls open the first GPU
=============================

Why does every process use memory on GPU 0? A process that is to work on another GPU opens it if it
pins memory before it has used its own, asks about the current GPU, or loads a checkpoint from it.
Of the calls tried after ``set_device``, only the checkpoint and a barrier of rank 0 do.
"""

# sphinx_gallery_evidence = {"gpus": 2, "timeout": 120}
import os

import torch

gpu = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 1)))
torch.cuda.set_device(gpu)  # before anything else asks for a GPU
x = torch.ones(2**10).pin_memory()
print(x.to(gpu).device, torch._C._cuda_hasPrimaryContext(0))

# %%
# This program makes a call before it uses the second GPU, after that, or after ``set_device``. At
# the end, it asks whether it has a context on the first GPU, by a private function.

import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PROGRAM = """
import os, sys
import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, TensorDataset

gpu, case, moment, path = torch.device("cuda", 1), *sys.argv[1:]
if moment == "after_set":
    torch.cuda.set_device(gpu)
if moment == "later":
    torch.ones(4, device=gpu)
samples = TensorDataset(torch.ones(8, 4))

def product():
    x = torch.ones(32, 32, device=gpu)
    return (x @ x).sum().item()

def group(**kind):
    kind |= {"store": dist.HashStore(), "rank": 0, "world_size": 1}
    dist.init_process_group("nccl", **kind)

def ddp():
    group()
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(4, 1).to(gpu))
    model(torch.ones(2, 4, device=gpu)).sum().backward()

CASES = {
    "product": product,
    "pin_memory": lambda: torch.ones(4).pin_memory(),
    "pinning loader": lambda: list(DataLoader(samples, pin_memory=True)),
    "pinning thread": lambda: list(DataLoader(samples, pin_memory=True, num_workers=1)),
    "plain loader": lambda: list(DataLoader(samples, num_workers=1)),
    "synchronize": lambda: torch.cuda.synchronize(),
    "synchronize the second": lambda: torch.cuda.synchronize(gpu),
    "mem_get_info": lambda: torch.cuda.mem_get_info(),
    "memory_allocated": lambda: torch.cuda.memory_allocated(),
    "get_device_name": lambda: torch.cuda.get_device_name(),
    "current_device": lambda: torch.cuda.current_device(),
    "load": lambda: torch.load(path),
    "load with map_location": lambda: torch.load(path, map_location=gpu),
    "DDP": ddp,
    "DDP, destroy_process_group": lambda: (ddp(), dist.destroy_process_group()),
    "barrier": lambda: (group(), dist.barrier()),
    "barrier with device_id": lambda: (group(device_id=gpu), dist.barrier()),
}
CASES[case]()
print("opened" if torch._C._cuda_hasPrimaryContext(0) else "closed", flush=True)
sys.stdin.read()  # until the first process has looked
os._exit(0)
"""
MOMENTS = ("first", "later", "after_set")
path = str(Path(tempfile.mkdtemp(), "checkpoint.pt"))
torch.save(torch.ones(4, device="cuda:0"), path)


ANSWERS = {"opened": True, "closed": False}
quiet = os.environ | {"TORCH_CPP_LOG_LEVEL": "ERROR"}  # some calls warn


def opened(case, moment, meanwhile=lambda: None):
    command = [sys.executable, "-W", "ignore", "-c", PROGRAM, case, moment, path]
    kind = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, env=quiet, **kind) as process:
        said = process.stdout.readline().strip()
        return ANSWERS.get(said, "failed"), meanwhile()


# %%
# How much is it? The first process looks at the free memory of the first GPU while another one has
# only pinned a tensor.

before = torch.cuda.mem_get_info(0)[0]
_, after = opened("pin_memory", "first", lambda: torch.cuda.mem_get_info(0)[0])
context_bytes = before - after
print(f"{context_bytes / 2**20:.0f} MiB")

# %%
# Each case is a process of its own, at each of the three moments; some run at the same time.

names = [line.split('"')[1] for line in PROGRAM.splitlines() if line[:5] == '    "']
with ThreadPoolExecutor(24) as pool:
    pairs = {(n, m): pool.submit(opened, n, m) for n in names for m in MOMENTS}
rows = [{"case": n, **{m: pairs[n, m].result()[0] for m in MOMENTS}} for n in names]
print(*rows, sep="\n")

measured = {
    "cases": len(rows),
    "opened_after_set": sum(row["after_set"] is True for row in rows),
    "context_bytes": context_bytes,
    "by_case": {"table": rows},
}
