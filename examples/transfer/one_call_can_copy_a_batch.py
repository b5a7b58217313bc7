"""
One call can copy a batch
=========================

Can CUDA copy many tensors in one call? Since version 12.8, it can, with ``cudaMemcpyBatchAsync``,
which this version of PyTorch does not call. For the GPU, the batch is about as much work as one
copy of all the bytes; on the host, the call still needs every address.
"""

# sphinx_gallery_quiet = "host"
import ctypes
import time
from statistics import median

import torch

# %%
# The tensors are in pinned memory, and their targets already exist on the GPU.

COUNT, FLOATS, ROUNDS = 900, 1000, 5
block = torch.randn(COUNT, FLOATS).pin_memory()
sources = list(block)
whole = torch.empty_like(block, device="cuda")
targets = [torch.zeros(FLOATS, device="cuda") for _ in sources]

# %%
# The CUDA runtime that PyTorch has loaded provides the function; the arguments are those of CUDA
# 13. One set of attributes applies to all copies.


class Attributes(ctypes.Structure):
    """``cudaMemcpyAttributes``: four numbers are hints on places, which pinned memory needs not."""

    _fields_ = (
        ("order", ctypes.c_int),
        ("hints", ctypes.c_int * 4),
        ("flags", ctypes.c_uint),
    )


IN_STREAM_ORDER = 1
assert torch.version.cuda.startswith("13."), torch.version.cuda
runtime = ctypes.CDLL("libcudart.so.13")

# %%
# Each call gathers the addresses and sizes, as any function that takes lists must.


def batch(stream):
    to = (ctypes.c_void_p * COUNT)(*[t.data_ptr() for t in targets])
    source = (ctypes.c_void_p * COUNT)(*[t.data_ptr() for t in sources])
    sizes = (ctypes.c_size_t * COUNT)(*[t.nbytes for t in sources])
    how, first = ctypes.byref(Attributes(IN_STREAM_ORDER)), (ctypes.c_size_t * 1)(0)
    count, sets = ctypes.c_size_t(COUNT), ctypes.c_size_t(1)
    queue = ctypes.c_void_p(stream.cuda_stream)
    return runtime.cudaMemcpyBatchAsync(
        to, source, sizes, count, how, first, sets, queue
    )


# %%
# The call rejects the default stream. In any other stream, it copies everything.

stream = torch.cuda.Stream()
refused = batch(torch.cuda.default_stream()) != 0
runtime.cudaGetLastError()  # or PyTorch would find this error later
torch.cuda.synchronize()
assert batch(stream) == 0
torch.cuda.synchronize()
equal = torch.equal(torch.stack(targets).cpu(), block)
print(f"the default stream is refused: {refused}; all is copied: {equal}")

# %%
# Time each variant from the call until the GPU is idle, and again on the GPU alone, queued behind
# a kernel that sleeps for longer than the call takes.

WAYS = {
    "batch": lambda: batch(stream),
    "foreach": lambda: torch._foreach_copy_(targets, sources, non_blocking=True),
    "as one": lambda: whole.copy_(block, non_blocking=True),
}
begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))


def seconds(way):
    torch.cuda.synchronize()
    clock = time.perf_counter()
    way()
    torch.cuda.synchronize()
    elapsed = time.perf_counter() - clock
    torch.cuda._sleep(20_000_000)
    begin.record()
    way()
    end.record()
    end.synchronize()
    return elapsed, begin.elapsed_time(end) / 1e3


with torch.cuda.stream(stream):
    warm_until = (
        time.perf_counter() + 0.1
    )  # by time, not by count: the clocks must ramp up
    while time.perf_counter() < warm_until:
        times = [seconds(way) for way in WAYS.values()]
    rounds = [[seconds(way) for way in WAYS.values()] for _ in range(ROUNDS)]
for name, times in zip(WAYS, zip(*rounds)):
    total, gpu = (median(column) * 1e6 for column in zip(*times))
    print(f"{name:>7}: {total:6.1f} us, on the GPU {gpu:6.1f} us")

# %%
# Ratios are computed within each round.

measured = {
    "tensors": COUNT,
    "floats": FLOATS,
    "default_stream_refused": refused,
    "equal": equal,
    "speedup": {"samples": [loop[0] / one[0] for one, loop, _ in rounds]},
    "gpu_speedup": {"samples": [loop[1] / one[1] for one, loop, _ in rounds]},
    "gpu_ratio": {"samples": [one[1] / whole[1] for one, _, whole in rounds]},
}
