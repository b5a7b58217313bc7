"""
A barrier takes the GPU of its rank
===================================

Which GPU does a barrier use? Unless the group knows its device, that with the number of the rank,
even after ``set_device``. A process whose GPU has another number then opens one more, and so does
one that gathers objects with tensors of other GPUs.
"""

# sphinx_gallery_evidence = {"gpus": 2, "timeout": 240}
# sphinx_gallery_quiet = "nothing"
import torch
import torch.distributed as dist

gpu = torch.device("cuda", 1)
kind = {"store": dist.HashStore(), "rank": 0, "world_size": 1}  # a group of one
dist.init_process_group("nccl", device_id=gpu, **kind)
dist.barrier()
print([torch._C._cuda_hasPrimaryContext(number) for number in (0, 1)])
dist.destroy_process_group()

# %%
# This program is one rank. It makes a call before it uses its GPU, after that, or after
# ``set_device``, and tells, by a private function, on which of the two GPUs it has a context.

PROGRAM = """
import os, sys, time
from datetime import timedelta
import torch
import torch.distributed as dist

(call, _, device_id), moment, path = sys.argv[1].partition(", "), *sys.argv[2:4]
rank, size, number = map(int, sys.argv[4:])
gpu = torch.device("cuda", number)
if moment == "after_set":
    torch.cuda.set_device(gpu)
if moment == "later":
    torch.ones(4, device=gpu)
kind = {"rank": rank, "world_size": size, "timeout": timedelta(seconds=20)}
kind["store"] = dist.FileStore(path, size)
dist.init_process_group("nccl", **kind, **({"device_id": gpu} if device_id else {}))

def gather(x):
    dist.all_gather([torch.empty_like(x) for _ in range(size)], x)

def gather_objects(x):
    dist.all_gather_object([None] * size, x)

CALLS = {
    "barrier": lambda x: dist.barrier(),
    "barrier of device_ids": lambda x: dist.barrier(device_ids=[number]),
    "all_reduce and barrier": lambda x: (dist.all_reduce(x), dist.barrier()),
    "all_gather": gather,
    "objects on the GPU": gather_objects,
    "objects on the CPU": lambda x: gather_objects(x.cpu()),
}
# The tensor is made late: it opens its own GPU.
CALLS[call](torch.ones(4, device=gpu) if call[0] in "ao" else None)
torch.cuda.synchronize(gpu)
opened = [str(n) for n in (0, 1) if torch._C._cuda_hasPrimaryContext(n)]
print(" and ".join(opened), flush=True)
time.sleep(2)  # the other rank may still be at work
os._exit(0)
"""

# %%
# A rank is alone and works on the second GPU, or there are two, which work on the GPUs of their
# numbers or, crossed, on those of each other. What hangs is ended after a minute.

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from tempfile import mkdtemp

GPUS = {"alone": (1,), "two": (0, 1), "crossed": (1, 0)}  # of each rank
MOMENTS = ("first", "later", "after_set")
WAYS = ("", ", device_id", " of device_ids")
CALLS = [*(f"barrier{way}" for way in WAYS), "all_reduce and barrier"]
GATHER = ("objects on the GPU", "objects on the CPU", "all_gather")
CASES = [(r, call, moment) for r in GPUS for call in CALLS for moment in MOMENTS]
CASES += [("two", call, "after_set") for call in GATHER]


def awaited(process, until):
    try:
        said, warned = process.communicate(timeout=max(until - time.monotonic(), 1))
    except subprocess.TimeoutExpired:
        process.kill()
        return "hung", process.communicate()[1]
    return said.strip() or "failed", warned


def run(case):
    gpus, pipe, until = GPUS[case[0]], subprocess.PIPE, time.monotonic() + 60
    kind = {"stdout": pipe, "stderr": pipe, "text": True}
    kind["env"] = os.environ | {"NCCL_NVLS_ENABLE": "0"}  # no multicast over NVLink
    program = [sys.executable, "-c", PROGRAM, *case[1:], mkdtemp() + "/store"]
    ranks = [[*program, str(r), str(len(gpus)), str(g)] for r, g in enumerate(gpus)]
    ranks = [subprocess.Popen(command, **kind) for command in ranks]
    return [awaited(rank, until) for rank in ranks]


with ThreadPoolExecutor(13) as pool:
    answers = dict(zip(CASES, pool.map(run, CASES)))
rows = {}
for (ranks, call, moment), told in answers.items():
    for rank, (opened, warned) in enumerate(told):
        name = f"{call}, {ranks}, rank {rank}"
        row = {"case": name, **dict.fromkeys(MOMENTS, "-"), "guessed": 0, "current": 0}
        row = rows.setdefault(name, row)
        row[moment] = opened
        row["guessed"] += "Guessing device ID based on global rank" in warned
        row["current"] += "using the device under current context" in warned
rows = list(rows.values())
print(*rows, sep="\n")
measured = {"by_case": {"table": rows}}
