"""
A cast is faster on the GPU
===========================

When a copy to or from the GPU changes the dtype, does it matter which side casts?
With ``non_blocking=True``, the GPU does. Between FP32 and FP16 in pinned memory, that
makes the whole copy faster, even where more bytes have to travel. From pageable
memory, or where eight times as many bytes travel, it need not be faster.
"""

# sphinx_gallery_quiet = "host"
import time
from statistics import median

import torch

# %%
# FP32 and FP16 tensors on both sides, and integers of 64 and 8 bits. The target tensors
# are allocated in advance.

COUNT, ROUNDS = 2**22, 5  # 16 MiB and 8 MiB
wide = torch.ones(COUNT)
narrow = wide.half()
pinned_wide, pinned_narrow = wide.pin_memory(), narrow.pin_memory()
wide_gpu, narrow_gpu = wide.to("cuda"), narrow.to("cuda")
longs = torch.ones(COUNT // 2, dtype=torch.int64).pin_memory()  # 16 MiB too
bytes_gpu = torch.ones(COUNT // 2, dtype=torch.uint8, device="cuda")
threads = torch.get_num_threads()

# %%
# The target comes first, then the source.

cases = {
    "narrow-to-gpu": (narrow_gpu, pinned_wide),
    "widen-to-gpu": (wide_gpu, pinned_narrow),
    "narrow-to-host": (pinned_narrow, wide_gpu),
    "widen-to-host": (pinned_wide, narrow_gpu),
    "longs-to-bytes-on-gpu": (bytes_gpu, longs),
    "bytes-to-longs-on-host": (longs, bytes_gpu),
    "pageable-narrow-to-gpu": (narrow_gpu, wide),
}

# %%
# Each copy is timed until the values have arrived, with the argument and without.


def seconds(target, source, non_blocking):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    target.copy_(source, non_blocking=non_blocking)
    torch.cuda.synchronize()
    return time.perf_counter() - begin


warm_until = time.perf_counter() + 0.1  # a fixed time: clocks ramp up slowly
while time.perf_counter() < warm_until:
    for target, source in cases.values():
        seconds(target, source, True)
        seconds(target, source, False)

# %%
# The cases take turns, so that any drift of the machine affects all of them equally.

pairs = {name: [] for name in cases}
for _ in range(ROUNDS):
    for name, tensors in cases.items():
        pairs[name].append((seconds(*tensors, False), seconds(*tensors, True)))

# %%
# A speedup is the time without ``non_blocking`` over the time with it.

table = []
for name, rounds in pairs.items():
    host, gpu = zip(*rounds, strict=True)
    ratios = [a / b for a, b in rounds]
    print(
        f"{name:>22}: {median(host):.1e} and {median(gpu):.1e} s, {median(ratios):.1f}x"
    )
    row = {"host_s": host, "gpu_s": gpu, "speedup": ratios}
    table.append({"case": name} | {key: {"samples": list(x)} for key, x in row.items()})
measured = {
    "threads": threads,
    "wide_bytes": wide.nbytes,
    "by_case": {"table": table},
}
