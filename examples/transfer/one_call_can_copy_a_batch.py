"""
One call can copy a batch
=========================

Can CUDA copy many tensors in one call? From version 12.8 on, by ``cudaMemcpyBatchAsync``,
which this version of PyTorch does not call. For the GPU that is about as much work as one
copy of all bytes; on the host the call still wants every address.
"""

import ctypes
import time
from statistics import median

import torch

# %%
# The tensors lie in pinned memory, and go to tensors that exist on the GPU.

COUNT, FLOATS, ROUNDS = 900, 1000, 5
block = torch.randn(COUNT, FLOATS).pin_memory()
sources = list(block)
whole = torch.empty_like(block, device="cuda")
targets = [torch.zeros(FLOATS, device="cuda") for _ in sources]

# %%
# The runtime that PyTorch has loaded has the function; its arguments are those of CUDA 13.
# One set of attributes serves all copies.


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
# Addresses and sizes are gathered in each call, as any function that takes lists has to.


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
# It refuses the default stream. In another one it copies all.

stream = torch.cuda.Stream()
refused = batch(torch.cuda.default_stream()) != 0
runtime.cudaGetLastError()  # or else PyTorch would find that error later
torch.cuda.synchronize()
assert batch(stream) == 0
torch.cuda.synchronize()
equal = torch.equal(torch.stack(targets).cpu(), block)
print(f"the default stream is refused: {refused}; all is copied: {equal}")

# %%
# Timed from the call until the GPU is idle; and on the GPU alone, queued behind a kernel
# that sleeps for longer than the call takes.

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
    )  # by time, not by count: clocks take it to rise
    while time.perf_counter() < warm_until:
        times = [seconds(way) for way in WAYS.values()]
    rounds = [[seconds(way) for way in WAYS.values()] for _ in range(ROUNDS)]
for name, times in zip(WAYS, zip(*rounds)):
    total, gpu = (median(column) * 1e6 for column in zip(*times))
    print(f"{name:>7}: {total:6.1f} us, on the GPU {gpu:6.1f} us")

# %%
# Ratios are taken round by round.

measured = {
    "tensors": COUNT,
    "floats": FLOATS,
    "default_stream_refused": refused,
    "equal": equal,
    "speedup": {"samples": [loop[0] / one[0] for one, loop, _ in rounds]},
    "gpu_speedup": {"samples": [loop[1] / one[1] for one, loop, _ in rounds]},
    "gpu_ratio": {"samples": [one[1] / whole[1] for one, _, whole in rounds]},
}
