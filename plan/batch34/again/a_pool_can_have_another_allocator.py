"""
A pool can have another allocator
=================================

Can one program use two allocators, and expandable segments as well? A pool gets its memory from
the allocator that it was made with; here, two functions in C. With ``expandable_segments``, a pool
without an allocator of its own has such segments, too.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

# %%
# Two functions take memory from the driver and give it back. They count what they gave.

SOURCE = """
#include <stddef.h>
int cuMemAlloc_v2(void **memory, size_t bytes);
int cuMemFree_v2(void *memory);
size_t given = 0;
void *take(size_t bytes, int device, void *stream) {
    void *memory = 0;
    if (cuMemAlloc_v2(&memory, bytes)) return 0;
    given += bytes;
    return memory;
}
void give_back(void *memory, size_t bytes, int device, void *stream) {
    if (!cuMemFree_v2(memory)) given -= bytes;
}
"""
if (COMPILER := shutil.which("cc") or shutil.which("gcc")) is None:
    raise unittest.SkipTest("there is no C compiler")

LIBRARY = f"{tempfile.mkdtemp()}/own.so"
command = [COMPILER, "-shared", "-fPIC", "-x", "c", "-", "-o", LIBRARY]
subprocess.run(command, input=SOURCE, text=True, check=True)

# %%
# The program makes a tensor in an ordinary pool, one in a pool of this allocator, and one in none.
# The driver says how much memory each pool really took.

PROGRAM = """
import ctypes, json, sys, torch
LIBRARY = sys.argv[1]
ctypes.CDLL("libcuda.so.1", mode=ctypes.RTLD_GLOBAL)
def empty():
    return torch.empty(24 * 2**20, dtype=torch.uint8, device="cuda")
kept = [empty().fill_(1)]  # loads the kernel
own = torch.cuda.memory.CUDAPluggableAllocator(LIBRARY, "take", "give_back")
pool = torch.cuda.MemPool(own.allocator())
given = ctypes.c_size_t.in_dll(ctypes.CDLL(LIBRARY), "given")
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
        "given_bytes": given.value,
    }
pools = {"plain": torch.cuda.MemPool(), "own": pool}
found = {name: take(pool) for name, pool in pools.items()}
spans = [pool.snapshot()[0]["address"] for pool in pools.values()]
rest = [s for s in torch.cuda.memory_snapshot() if s["address"] not in spans]
found["none"] = {"expandable": any(s["is_expandable"] for s in rest)}
try:
    torch.cuda.memory.change_current_allocator(own)
    found["swap"] = ""
except RuntimeError as error:
    found["swap"] = str(error).splitlines()[0]
kept.clear()
del pool, pools
found["kept_bytes"] = given.value
print(json.dumps(found))
"""

# %%
# It runs once as it is, and once with expandable segments, one after the other: the driver counts
# the whole GPU.

SETTINGS = {"default": None, "expandable": "expandable_segments:True"}
found = {}
for name, setting in SETTINGS.items():
    names = ("PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF")
    environment = {k: v for k, v in os.environ.items() if k not in names}
    if setting:
        environment["PYTORCH_CUDA_ALLOC_CONF"] = setting
    command = [sys.executable, "-W", "ignore", "-c", PROGRAM, LIBRARY]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    print(name, done.stdout, done.stderr)
    found[name] = json.loads(done.stdout.splitlines()[-1])

# %%
# Which tensors lie in expandable segments, and what the functions gave to their pool.

KINDS = ("none", "plain", "own")
table = [
    {"setting": name} | {kind: answer[kind]["expandable"] for kind in KINDS}
    for name, answer in found.items()
]
default = found["default"]
measured = {
    "by_setting": {"table": table},
    "size_bytes": 24 * 2**20,
    "plain_given_bytes": default["plain"]["given_bytes"],
    "own_given_bytes": default["own"]["given_bytes"],
    "own_reserved_bytes": default["own"]["reserved_bytes"],
    "own_driver_bytes": default["own"]["driver_bytes"],
    "kept_bytes": default["kept_bytes"],
    "swap": RuntimeError(default["swap"]),
}
