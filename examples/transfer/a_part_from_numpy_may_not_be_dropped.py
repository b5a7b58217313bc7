"""
A part from NumPy may not be dropped
====================================

May you drop a pinned tensor while its copy waits? Yes: PyTorch does not reuse its block
until the copy is done. A part of it that went through NumPy or DLPack, however, starts
at an address that PyTorch does not know as a block, and is not protected.
"""

import torch

# %%
# Five ways to get a tensor in pinned memory. The last two start inside a block.

COUNT, TRIES = 2**20, 5  # floats: 4 MiB


def block():
    return torch.zeros(COUNT, pin_memory=True)


ways = {
    "itself": block,
    "part": lambda: block()[1024:],
    "numpy": lambda: torch.from_numpy(block().numpy()),
    "numpy-part": lambda: torch.from_numpy(block().numpy()[1024:]),
    "dlpack-part": lambda: torch.from_dlpack(block()[1024:]),
}

# %%
# Each tensor is dropped while its copy waits behind a sleeping kernel, and the next
# pinned tensor is allocated. Zeros go to the GPU; the next tensor holds ones.

HOLD = 20_000_000  # cycles: some milliseconds, on any GPU


def send(way, cycles=HOLD, keep=None):
    host = ways[way]()
    if keep is not None:
        keep.append(host)
    torch.cuda.synchronize()
    torch.cuda._sleep(cycles)
    gpu = host.to("cuda", non_blocking=True)
    del host
    torch.ones(COUNT, pin_memory=True)
    torch.cuda.synchronize()
    return bool(gpu.any())


# %%
# In the other direction, sevens come from the GPU.

sevens = torch.full((COUNT,), 7.0, device="cuda")


def fetch(way, cycles=HOLD):
    host = ways[way]()
    torch.cuda.synchronize()
    torch.cuda._sleep(cycles)
    host.copy_(sevens[: host.numel()], non_blocking=True)
    del host
    other = torch.ones(COUNT, pin_memory=True)
    torch.cuda.synchronize()
    return bool((other != 1).any())


# %%
# How often did the ones of the next tensor reach the GPU, and how often did the sevens
# end up in the next tensor?

table = []
for way, make in ways.items():
    _ = send(way, 1000), fetch(way, 1000)  # not counted: loads the kernels
    row = {"way": way, "pinned": make().is_pinned()}
    row["wrong_sent"] = sum(send(way) for _ in range(TRIES))
    row["wrong_fetched"] = sum(fetch(way) for _ in range(TRIES))
    row["wrong_held"] = sum(send(way, keep=[]) for _ in range(TRIES))
    table.append(row)
    print(", ".join(f"{key}: {value}" for key, value in row.items()))

# %%
# Counts of tries.

measured = {"tries": TRIES, "by_way": {"table": table}}
