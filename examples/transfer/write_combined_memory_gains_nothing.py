"""
Write-combined memory gains nothing
===================================

Is there pinned memory that copies even faster? CUDA can allocate it as write-combined,
bypassing the CPU's caches, and warns that the host reads such memory slowly. In this
virtual machine, neither effect shows: copies and reads are as fast as with other pinned
memory.
"""

# sphinx_gallery_quiet = "host"
import ctypes
import time
from statistics import median

import torch

# %%
# PyTorch cannot allocate such memory, but the CUDA runtime that it has loaded can, and
# a tensor is created on top of it. CUDA's header calls the flag
# ``cudaHostAllocWriteCombined``.

SIZE, PART, ROUNDS = 2**26, 2**23, 5  # bytes: 64 MiB are copied, the host reads 8 MiB
WRITE_COMBINED = 4
torch.cuda.init()
torch.set_num_threads(1)
runtime = ctypes.CDLL(f"libcudart.so.{torch.version.cuda.split('.')[0]}")


def allocated(flags):
    address = ctypes.c_void_p()
    code = runtime.cudaHostAlloc(ctypes.byref(address), ctypes.c_size_t(SIZE), flags)
    assert code == 0, code
    memory = (ctypes.c_uint8 * SIZE).from_address(address.value)
    return torch.frombuffer(memory, dtype=torch.uint8).fill_(1)


ordinary, combined = allocated(0), allocated(WRITE_COMBINED)
print(f"is_pinned(): {ordinary.is_pinned()} and {combined.is_pinned()}")

# %%
# Time a copy to the GPU, and what the host writes and reads with one thread.

target = torch.empty(SIZE, dtype=torch.uint8, device="cuda")
scratch = torch.ones(PART, dtype=torch.uint8)


def seconds(work, *arguments):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    work(*arguments)
    torch.cuda.synchronize()
    return time.perf_counter() - begin


def times(memory):
    part = memory[:PART]
    copied = seconds(target.copy_, memory)
    return copied, seconds(part.copy_, scratch), seconds(scratch.copy_, part)


# %%
# The two kinds take turns, so that drift affects both alike.

warm_until = time.perf_counter() + 0.1  # by time, not by count: the clocks must ramp up
while time.perf_counter() < warm_until:
    times(ordinary)
    times(combined)
rounds = [(times(ordinary), times(combined)) for _ in range(ROUNDS)]
names = ("copy_ratio", "write_ratio", "read_ratio")
by_round = [[new / old for old, new in zip(*pair)] for pair in rounds]
ratios = dict(zip(names, zip(*by_round)))
print({name: f"{median(samples):.2f}" for name, samples in ratios.items()})

# %%
# The ratios divide the time with write-combined memory by that with other pinned
# memory, for the copy to the GPU, and for the host's writing and reading.

measured = {
    "copied_bytes": SIZE,
    "read_bytes": PART,
    "pinned": combined.is_pinned(),
    **{name: {"samples": list(samples)} for name, samples in ratios.items()},
}
