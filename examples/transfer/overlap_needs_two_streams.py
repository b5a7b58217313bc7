"""
Overlap needs two streams
=========================

When does a copy to the GPU overlap with a computation? When the two are in different streams and
the host can queue both without waiting: from pinned memory, without blocking.
"""

# sphinx_gallery_quiet = "host"
from statistics import median

import torch
from torch.autograd import DeviceType
from torch.profiler import profile

# %%
# On an H200, the matmuls take about as long as the pinned copy, so there is the most to gain.

SIZE, PRODUCTS, REPEATS = 64 * 2**20, 4, 4
pinned = torch.ones(SIZE, dtype=torch.uint8, pin_memory=True)
pageable = torch.ones(SIZE, dtype=torch.uint8)
target = torch.empty(SIZE, dtype=torch.uint8, device="cuda")
factor = torch.ones(2048, 2048, device="cuda")
product = torch.empty_like(factor)
side = torch.cuda.Stream()

# %%
# Either can be queued in the current stream (here the default stream) or in a side stream.


def copy(source, non_blocking=True):
    target.copy_(source, non_blocking=non_blocking)


def compute():
    for _ in range(PRODUCTS):
        torch.mm(factor, factor, out=product)


def aside(work, *arguments):
    with torch.cuda.stream(side):
        work(*arguments)


# %%
# Try the four combinations, and others. Unless the name says otherwise, the copy is called first.

CASES = {
    "pageable-one-stream": lambda: (copy(pageable), compute()),
    "pageable-two-streams": lambda: (aside(copy, pageable), compute()),
    "pinned-one-stream": lambda: (copy(pinned), compute()),
    "pinned-two-streams": lambda: (aside(copy, pinned), compute()),
    "pinned-swapped": lambda: (copy(pinned), aside(compute)),
    "pageable-called-last": lambda: (compute(), aside(copy, pageable)),
    "blocking": lambda: (aside(copy, pinned, False), compute()),
    "blocking-called-last": lambda: (compute(), aside(copy, pinned, False)),
}

# %%
# The profiler shows what the host called and launched, and what ran on the GPU.


def lane_of(event):
    if event.device_type == DeviceType.CUDA:
        return "copy" if event.name.startswith("Memcpy") else "compute"
    return "host" if event.name in ("cudaMemcpyAsync", "aten::mm") else None


def traced(case):
    torch.cuda.synchronize()
    with profile(acc_events=True) as profiler:
        case()
        torch.cuda.synchronize()
    lanes = {"host": [], "copy": [], "compute": [], None: []}
    for event in profiler.events():
        lanes[lane_of(event)] += [event.time_range.start, event.time_range.end]
    zero = min(lanes["host"])
    return {k: [(f(lanes[k]) - zero) / 1e6 for f in (min, max)] for k in lanes if k}


# %%
# The first traces do not count: they include the startup of the profiler and of the kernels.

for case in CASES.values():
    traced(case)

# %%
# The cases take turns. Overlap is the time during which both ran, as a share of the shorter.


def overlap(lanes):
    (copying, copied), (computing, computed) = lanes["copy"], lanes["compute"]
    both = min(copied, computed) - max(copying, computing)
    return max(both, 0) / min(copied - copying, computed - computing)


seen = {name: [] for name in CASES}
for _ in range(REPEATS):
    for name, case in CASES.items():
        seen[name].append(traced(case))
shares = {name: [overlap(lanes) for lanes in seen[name]] for name in CASES}
for name in CASES:
    print(f"{name:>21}: overlap {median(shares[name]):.0%}")

# %%
# A lane extends from its first start to its last end, in seconds since the first call.

four = list(CASES)[:4]
bars = [
    {"bar": f"{name}:{lane}"}
    | {"start_s": {"samples": [lanes[lane][0] for lanes in seen[name]]}}
    | {"end_s": {"samples": [lanes[lane][1] for lanes in seen[name]]}}
    for name in four
    for lane in ("host", "copy", "compute")
]
table = [{"case": name, "overlap_share": {"samples": shares[name]}} for name in CASES]
measured = {
    "bars": {"table": bars},
    "by_case": {"table": table},
    "overlapping": sum(median(shares[name]) > 0.5 for name in four),
}
