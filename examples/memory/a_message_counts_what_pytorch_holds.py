"""
A message counts what PyTorch holds
===================================

What do the numbers in "CUDA out of memory" mean? The first is the size of the piece that the
allocator wanted from the driver, not of the tensor. Two others are what its own functions report.
With a limit, the GPU may have plenty of free memory.
"""

# sphinx_gallery_evidence = {"processes": 3}
import re

import torch

MIB = 2**20
LIMIT = 256 * MIB + 1024  # a KiB more: a fraction cannot give every number of bytes
total = torch.cuda.get_device_properties(0).total_memory
torch.cuda.set_per_process_memory_fraction(LIMIT / total)

kept = torch.empty(150 * MIB, dtype=torch.uint8, device="cuda")
freed = torch.empty(100 * MIB, dtype=torch.uint8, device="cuda")
del freed
piece = torch.empty(60 * MIB, dtype=torch.uint8, device="cuda")  # of the freed block
try:
    torch.empty(41 * MIB, dtype=torch.uint8, device="cuda")
except torch.OutOfMemoryError as error:
    message = str(error)
print(message)

# %%
# Read the numbers, in the order of the message. What it says about processes comes from the driver,
# and is missing where the driver does not tell.

UNITS = {"bytes": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
NUMBER = r"([\d.]+) (bytes|KiB|MiB|GiB)"


def number(before, after=""):
    found = re.search(f"{before}{NUMBER}{after}", message)
    return found and round(float(found[1]) * UNITS[found[2]])


said = {
    "tried": number("Tried to allocate "),
    "capacity": number("total capacity of "),
    "free": number("of which ", " is free"),
    "allowed": number("", " allowed; "),
    "allocated": number("Of the allocated memory "),
    "unallocated": number("and ", " is reserved by PyTorch but unallocated"),
}
in_use = [
    round(float(n) * UNITS[unit])
    for n, unit in re.findall(f"has {NUMBER} mem", message)
]
print(said, in_use, sep="\n")

# %%
# What the functions report. The numbers have two decimals.

allocated, reserved = torch.cuda.memory_allocated(), torch.cuda.memory_reserved()
free, driver_total = torch.cuda.mem_get_info()
close = {"capacity": driver_total, "free": free}
close = {name: abs(said[name] - real) < 0.01 * real for name, real in close.items()}
print(f"allocated {allocated / MIB} MiB, reserved {reserved / MIB} MiB; close: {close}")

# %%
# What is reserved but unallocated can be used, by a tensor that fits into it.

fits = torch.empty(40 * MIB, dtype=torch.uint8, device="cuda")
reserved_with_it = torch.cuda.memory_reserved()

# %%
# How much does the allocator try to get, for tensors of other sizes? All memory that is allowed is
# taken by one tensor, so each attempt fails.

del kept, piece, fits
torch.cuda.empty_cache()
kept = torch.empty(256 * MIB, dtype=torch.uint8, device="cuda")
SIZES = (1, MIB, MIB + 1, 10 * MIB - 512, 10 * MIB, 11 * MIB, 100 * MIB + 1)
tried = []
for size in SIZES:
    try:
        torch.empty(size, dtype=torch.uint8, device="cuda")
    except torch.OutOfMemoryError as error:
        message = str(error)
        tried.append({"size_bytes": size, "tried_bytes": number("Tried to allocate ")})
        print(tried[-1])

# %%
# All numbers of the message are exact but those of the driver.

measured = {
    "asked_bytes": 41 * MIB,
    "tried_bytes": said["tried"],
    "allowed_bytes": said["allowed"],
    "allocated_bytes": said["allocated"],
    "unallocated_bytes": said["unallocated"],
    "free_share": {"samples": [said["free"] / total]},
    "capacity_is_total": close["capacity"],
    "free_is_the_drivers": close["free"],
    "reported_allocated_bytes": allocated,
    "reported_reserved_bytes": reserved,
    "processes_hold_enough": all(n > 0 for n in in_use) and sum(in_use) >= reserved,
    "fits_bytes": 40 * MIB,
    "new_for_what_fits_bytes": reserved_with_it - reserved,
    "by_size": {"table": tried},
}
