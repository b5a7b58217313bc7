"""
Some calls open the first GPU
=============================

Why does every process use memory on GPU 0? A process that works on another GPU, and has not made
it the current one, opens the first as well: pinned memory, a loader that pins and a wait do. Each
of these processes then has a context there.
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
# This program works on the second GPU, and asks at the end whether it has a context on the first.
# The function that says so is private to PyTorch.

PROGRAM = """
import sys
import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, TensorDataset

gpu, case, path = torch.device("cuda", 1), sys.argv[1], sys.argv[2]
if "set_device" in sys.argv:
    torch.cuda.set_device(gpu)
x = torch.ones(32, 32, device=gpu)
samples = TensorDataset(torch.ones(8, 4))

def ddp(**device):
    store = dist.HashStore()
    dist.init_process_group("nccl", store=store, rank=0, world_size=1, **device)
    return torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(32, 1).to(gpu))

CASES = {
    "computing": lambda: (x @ x).sum().item(),
    "pin_memory()": lambda: torch.ones(4).pin_memory(),
    "loader that pins": lambda: list(DataLoader(samples, pin_memory=True)),
    "loader that pins in a thread": lambda: list(
        DataLoader(samples, pin_memory=True, num_workers=1)
    ),
    "loader without pinning": lambda: list(DataLoader(samples, num_workers=1)),
    "synchronize()": lambda: torch.cuda.synchronize(),
    "synchronize(gpu)": lambda: torch.cuda.synchronize(gpu),
    "torch.load": lambda: torch.load(path),
    "torch.load, map_location": lambda: torch.load(path, map_location=gpu),
    "DDP": lambda: ddp()(x).sum().backward(),
    "barrier()": lambda: (ddp()(x), dist.barrier()),
    "barrier(), device_id": lambda: (ddp(device_id=gpu)(x), dist.barrier()),
}
CASES[case]()
print("opened" if torch._C._cuda_hasPrimaryContext(0) else "closed", flush=True)
sys.stdin.readline()  # until the first process has looked
"""


def started(case, *arguments):
    command = [sys.executable, "-c", PROGRAM, case, path, *arguments]
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


def taken(*arguments):
    before = torch.cuda.mem_get_info(0)[0]
    process = started("pin_memory()", *arguments)
    said = process.stdout.readline().strip()
    free = torch.cuda.mem_get_info(0)[0]
    process.communicate("\n", timeout=60)
    return before - free, said


(without_bytes, _), (with_bytes, _) = taken(), taken("set_device")
print(
    f"{without_bytes / 2**20:.0f} MiB, and {with_bytes / 2**20:.0f} MiB with set_device"
)

# %%
# Each case is a process of its own, once without ``set_device`` and once with it.

names = [
    line.split('"')[1] for line in PROGRAM.splitlines() if line.startswith('    "')
]
processes = {name: (started(name), started(name, "set_device")) for name in names}
rows = []
for name, (without, after) in processes.items():
    rows.append({"case": name, "opens": answer(without), "after_set": answer(after)})
    print(rows[-1])

measured = {
    "cases": len(rows),
    "opened": sum(row["opens"] for row in rows),
    "opened_after_set": sum(row["after_set"] for row in rows),
    "context_bytes": without_bytes,
    "context_after_set_bytes": with_bytes,
    "by_case": {"table": rows},
}
