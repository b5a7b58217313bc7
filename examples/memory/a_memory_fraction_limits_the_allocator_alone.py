"""
A memory fraction limits the allocator alone
============================================

Does ``set_per_process_memory_fraction`` limit what a process takes? It limits what the allocator
reserves. The context and the libraries come on top, nothing is set aside for the process, and each
process has a limit of its own.
"""

# sphinx_gallery_evidence = {"processes": 3}
import torch

MIB = 2**20
LIMIT, BLOCK = 512 * MIB, 64 * MIB

total = torch.cuda.get_device_properties(0).total_memory
fraction = (LIMIT + MIB) / total  # a MiB for rounding
torch.cuda.set_per_process_memory_fraction(fraction)
kept = []
try:
    while True:
        kept.append(torch.empty(BLOCK, dtype=torch.uint8, device="cuda"))
except torch.cuda.OutOfMemoryError as error:
    message = str(error)
print(f"{len(kept)} tensors of 64 MiB, then: {message[:160]}")

# %%
# With the limit reached, a product of memory that is there already fails too: cuBLAS has no
# workspace yet. The driver says what is free, whatever the limit. Of messages, what follows on the
# GPU varies.

blocks, reserved = len(kept), torch.cuda.memory_reserved()
views = [x[: 2**18].view(torch.float32).view(256, 256) for x in kept[:3]]


def failure(call):
    try:
        call()
    except RuntimeError as error:
        return type(error)(str(error).partition(". GPU")[0])


product = failure(lambda: torch.mm(*views[:2], out=views[2]))
free, driver_total = torch.cuda.mem_get_info()
used = driver_total - free
print(
    f"{reserved / MIB:.0f} MiB reserved, {used / MIB:.0f} used, {free / MIB:.0f} free"
)

# %%
# Meanwhile, two processes set limits of their own: one by the same call, one by the environment.

import os
import subprocess
import sys

FILL = """
import sys, torch
if float(sys.argv[1]):
    torch.cuda.set_per_process_memory_fraction(float(sys.argv[1]))
kept = []
try:
    while len(kept) < 20:
        kept.append(torch.empty(2**26, dtype=torch.uint8, device="cuda"))
except torch.cuda.OutOfMemoryError:
    pass
print(len(kept))
"""


def child(by_call, by_environment):
    environment = os.environ | {"PYTORCH_ALLOC_CONF": by_environment}
    command = [sys.executable, "-c", FILL, str(by_call)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, stdout=pipe, text=True)


option = f"per_process_memory_fraction:{fraction:.12f}"
children = [child(fraction, ""), child(0, option), child(0, "")]
by_call, by_option, without = (int(process.communicate()[0]) for process in children)
print(f"tensors in another process: {by_call}, by option {by_option}, {without} free")

# %%
# Exact: all but what the driver counts.

measured = {
    "limit_bytes": LIMIT,
    "block_bytes": BLOCK,
    "blocks": blocks,
    "reserved_bytes": reserved,
    "names_the_limit": "513.00 MiB allowed" in message,
    "message": message.partition(". GPU")[0],
    "product": product,
    "beyond_limit_bytes": {"samples": [used - LIMIT]},
    "free_beyond_limit": free > 10 * LIMIT,
    "other_blocks": by_call,
    "option_blocks": by_option,
    "unlimited_blocks": without,
}
