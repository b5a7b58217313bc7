"""
A pool can have another allocator
=================================

Can one program use two allocators, and expandable segments as well? A pool gets its memory from
the allocator that it was made with; here, NCCL's own. With ``expandable_segments``, a pool without
an allocator of its own has such segments, too.
"""

import json
import os
import subprocess
import sys

# %%
# The program makes a tensor in an ordinary pool, one in a pool of NCCL's allocator, and one in
# none. NCCL needs a process group for it; one process is enough. The driver says how much memory
# the second one really took. (What gives the allocator is private to PyTorch, though documented.)

PROGRAM = """
import json
import torch
import torch.distributed as dist
input()  # until it is its turn
SIZE = 24 * 2**20
gpu = torch.device("cuda", 0)
torch.cuda.set_device(gpu)
dist.init_process_group("nccl", store=dist.HashStore(), rank=0, world_size=1)
allocator = dist.group.WORLD._get_backend(gpu).mem_allocator
def empty():
    return torch.empty(SIZE, dtype=torch.uint8, device=gpu)
kept, found = [empty()], {}
def take(pool):
    torch.cuda.synchronize()
    reserved, free = torch.cuda.memory_reserved(), torch.cuda.mem_get_info()[0]
    with torch.cuda.use_mem_pool(pool):
        kept.append(empty().fill_(1))
    torch.cuda.synchronize()
    (segment,) = pool.snapshot()
    return {
        "expandable": segment["is_expandable"],
        "reserved_bytes": torch.cuda.memory_reserved() - reserved,
        "driver_bytes": free - torch.cuda.mem_get_info()[0],
    }
kept[0].fill_(1)  # loads the kernel
pools = {"plain": torch.cuda.MemPool(), "nccl": torch.cuda.MemPool(allocator)}
found = {name: take(pool) for name, pool in pools.items()}
spans = [pool.snapshot()[0]["address"] for pool in pools.values()]
rest = [s for s in torch.cuda.memory_snapshot() if s["address"] not in spans]
found["none"] = {"expandable": any(s["is_expandable"] for s in rest)}
try:
    torch.cuda.memory.change_current_allocator(torch.cuda.memory._get_current_allocator())
    found["swap"] = ""
except RuntimeError as error:
    found["swap"] = str(error).splitlines()[0]
print(json.dumps(found))
kept.clear()
del pools
dist.destroy_process_group()
"""

# %%
# It runs once as it is, and once with expandable segments, one after the other: the driver counts
# the whole GPU.

SETTINGS = {"default": None, "expandable": "expandable_segments:True"}


def start(setting):
    names = ("PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF")
    environment = {k: v for k, v in os.environ.items() if k not in names}
    if setting:
        environment["PYTORCH_CUDA_ALLOC_CONF"] = setting
    command = [sys.executable, "-W", "ignore", "-c", PROGRAM]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, env=environment, **pipes)


programs = {name: start(setting) for name, setting in SETTINGS.items()}
found = {}
for name, program in programs.items():
    found[name] = json.loads(program.communicate("\n")[0].splitlines()[-1])
    print(name, found[name])

# %%
# Which tensors lie in expandable segments, and what the pool of NCCL took.

KINDS = ("none", "plain", "nccl")
table = [
    {"setting": name} | {kind: answer[kind]["expandable"] for kind in KINDS}
    for name, answer in found.items()
]
measured = {
    "by_setting": {"table": table},
    "size_bytes": 24 * 2**20,
    "nccl_reserved_bytes": found["default"]["nccl"]["reserved_bytes"],
    "plain_driver_bytes": found["default"]["plain"]["driver_bytes"],
    "nccl_driver_bytes": found["default"]["nccl"]["driver_bytes"],
    "swap": RuntimeError(found["default"]["swap"]),
}
