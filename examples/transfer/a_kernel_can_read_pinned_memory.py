"""
A kernel can read pinned memory
===============================

Does data have to be copied before a kernel can read it? Not from pinned memory, which
is mapped into the GPU's address space. Every read crosses the link again. That pays
off for a few rows of a large table, but not for data that is read often.
"""

# sphinx_gallery_quiet = "host"
import torch

ROWS = 64


class OnTheGpu:
    """Pinned memory as PyTorch asks for it when it makes a CUDA tensor of foreign data."""

    def __init__(self, host):
        self.host = host
        data, shape = (host.data_ptr(), False), tuple(host.shape)
        kind = {"typestr": "<f4", "data": data, "shape": shape, "version": 2}
        self.__cuda_array_interface__ = kind


table = torch.randn(2**16, 256).pin_memory()  # stays on the host
mapped = torch.as_tensor(OnTheGpu(table), device="cuda")
rows = torch.randint(2**16, (ROWS,))
found = mapped[rows.cuda()]  # a kernel reads these rows over the link
equal = torch.equal(found.cpu(), table[rows])
print(f"on {mapped.device}; rows are equal: {equal}")

# %%
# The tensor has the address of the pinned memory, so what one side writes, the other
# can read once the GPU has finished.

import ctypes
import time
from statistics import median

ROUNDS = 5
same_address = mapped.data_ptr() == table.data_ptr()
mapped[0] = 3.0
torch.cuda.synchronize()
host_sees = bool((table[0] == 3).all())
print(f"same address: {same_address}, the host sees what the GPU wrote: {host_sees}")

# %%
# PyTorch rejects pageable memory. The runtime reports whether this GPU could read it at
# all.

try:
    refused = torch.as_tensor(OnTheGpu(torch.ones(256)), device="cuda").device
except RuntimeError as error:
    refused = error
runtime = ctypes.CDLL(f"libcudart.so.{torch.version.cuda.split('.')[0]}")
PAGEABLE_MEMORY_ACCESS, reads_pageable = 88, ctypes.c_int(-1)
at = ctypes.byref(reads_pageable)
assert runtime.cudaDeviceGetAttribute(at, PAGEABLE_MEMORY_ACCESS, 0) == 0
print(f"the GPU reads pageable memory: {reads_pageable.value}; {refused}")

# %%
# Rows are looked up, and all values summed, in three tables: the mapped one, one that
# is copied to the GPU first, and one that is already there. Events time the GPU alone.

chosen = rows.cuda()
copied = table.to("cuda")
begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
WAYS = {
    "rows_mapped": lambda: mapped[chosen],
    "rows_after_copy": lambda: table.to("cuda", non_blocking=True)[chosen],
    "sum_mapped": lambda: mapped.sum(),
    "sum_after_copy": lambda: table.to("cuda", non_blocking=True).sum(),
    "sum_on_the_gpu": lambda: copied.sum(),
}


def seconds(way):
    torch.cuda._sleep(200_000)  # private to PyTorch: all is queued before it ends
    begin.record()
    way()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / 1e3


# %%
# The methods take turns, so that any drift of the machine affects all of them equally.

warm_until = time.perf_counter() + 0.1  # a fixed time: clocks ramp up slowly
while time.perf_counter() < warm_until:
    for way in WAYS.values():
        seconds(way)
rounds = [{name: seconds(way) for name, way in WAYS.items()} for _ in range(ROUNDS)]
for name in WAYS:
    print(f"{name:>15}: {median(r[name] for r in rounds) * 1e6:7.1f} us")

# %%
# Ratios are computed within each round.


def ratio(name, over):
    return {"samples": [times[name] / times[over] for times in rounds]}


measured = {
    "table_bytes": 2**16 * 256 * 4,
    "rows": ROWS,
    "equal": equal,
    "same_address": same_address,
    "host_sees": host_sees,
    "refused": refused,
    "reads_pageable": bool(reads_pageable.value),
    "rows_speedup": ratio("rows_after_copy", over="rows_mapped"),
    "sum_ratio": ratio("sum_mapped", over="sum_after_copy"),
    "sum_slowdown": ratio("sum_mapped", over="sum_on_the_gpu"),
}
