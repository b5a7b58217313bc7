"""
Some calls open the first GPU
=============================

Why does every process use memory on GPU 0? A process that is to work on another GPU opens the
first one if it pins memory or asks a question before it has used its own, or if it loads a
checkpoint from there. Once it has called ``set_device``, of these only the checkpoint does.
"""

# sphinx_gallery_evidence = {"gpus": 2, "timeout": 120}
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import torch

gpu = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 1)))
torch.cuda.set_device(gpu)  # before anything else asks for a GPU
x = torch.ones(2**10).pin_memory()
print(x.to(gpu).device, torch._C._cuda_hasPrimaryContext(0))

# %%
# This program makes a call before it uses the second GPU, after that, or after it has made that
# GPU the current one. At the end it asks whether it has a context on the first GPU, by a private
# function.

PROGRAM = """
import sys
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

def ddp():
    store = dist.HashStore()
    dist.init_process_group("nccl", store=store, rank=0, world_size=1)
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
    "load": lambda: torch.load(path),
    "load with map_location": lambda: torch.load(path, map_location=gpu),
    "DDP": ddp,
}
CASES[case]()
print("opened" if torch._C._cuda_hasPrimaryContext(0) else "closed", flush=True)
sys.stdin.readline()  # until the first process has looked
"""
MOMENTS = ("first", "later", "after_set")


def started(case, moment):
    command = [sys.executable, "-c", PROGRAM, case, moment, path]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)


def answer(process):
    said = process.stdout.readline().strip()
    process.communicate("\n", timeout=60)
    return said == "opened"


# %%
# How much is it? The first process looks at the free memory of the first GPU while another one has
# only pinned a tensor.

path = str(Path(tempfile.mkdtemp(), "checkpoint.pt"))
torch.save(torch.ones(4, device="cuda:0"), path)
before = torch.cuda.mem_get_info(0)[0]
process = started("pin_memory", "first")
process.stdout.readline()
context_bytes = before - torch.cuda.mem_get_info(0)[0]
process.communicate("\n", timeout=60)
print(f"{context_bytes / 2**20:.0f} MiB")

# %%
# Each case is a process of its own, at each of the three moments.

names = [
    line.split('"')[1] for line in PROGRAM.splitlines() if line.startswith('    "')
]
processes = {name: [started(name, moment) for moment in MOMENTS] for name in names}
rows = []
for name, three in processes.items():
    answers = map(answer, three)
    rows.append({"case": name, **dict(zip(MOMENTS, answers))})
    print(rows[-1])

measured = {
    "cases": len(rows),
    "opened_after_set": sum(row["after_set"] for row in rows),
    "context_bytes": context_bytes,
    "by_case": {"table": rows},
}
