"""
Kernels that fill the bandwidth gain nothing
============================================

My kernels leave room on the GPU: do two streams help? Not if one kernel reads memory as fast as it
goes: two then share the bandwidth, although both run at once. Kernels with the same blocks that
do not touch memory do gain time, and so do readers with too few blocks to fill the bandwidth.
"""

import torch

SOURCE = """
extern "C" __global__ void __launch_bounds__(512, 2)
read_all(const float4 *x, float *out, int n) {
    float4 a[8]; float sum = 0;
    int stride = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    for (; i + 7 * stride < n; i += 8 * stride) {
        #pragma unroll
        for (int k = 0; k < 8; k++) a[k] = x[i + k * stride];
        #pragma unroll
        for (int k = 0; k < 8; k++) sum += a[k].x + a[k].y + a[k].z + a[k].w;
    }
    if (sum < 0) out[0] = sum;
}
"""
read_all = torch.cuda._compile_kernel(SOURCE, "read_all")  # private, and may change
x, out = torch.ones(2**28, device="cuda"), torch.zeros(1, device="cuda")
read_all(grid=(132, 1, 1), block=(512, 1, 1), args=[x, out, x.numel() // 4])
torch.cuda.synchronize()

# %%
# The other kernel has the same blocks, but only looks at the clock. Each multiprocessor has room
# for two blocks of either kernel or more.

import time
from statistics import median

SPIN = """
extern "C" __global__ void spin(int cycles) {
    for (long long start = clock64(); clock64() - start < cycles;) {}
}
"""
spin = torch.cuda._compile_kernel(SPIN, "spin")
ROUNDS, CALLS, CYCLES = 6, 4, 800_000  # the last: some hundred microseconds
xs = x, torch.ones_like(x)


def kernels(kind, blocks, threads):
    launch = {"grid": (blocks, 1, 1), "block": (threads, 1, 1)}
    if kind == "spinning":
        return [lambda: spin(**launch, args=[CYCLES])] * 2
    return [lambda x=x: read_all(**launch, args=[x, out, x.numel() // 4]) for x in xs]


# %%
# The current stream is held until all is queued, and the two streams wait for it: the rest is up to
# the GPU. ``torch.cuda._sleep`` is private and may change, too.

HOLD = 20_000_000  # cycles of the GPU's clock: about ten milliseconds
here = torch.cuda.current_stream()
one, two = torch.cuda.Stream(), torch.cuda.Stream()
begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))


def seconds(streams, works, held=True):
    torch.cuda.synchronize()
    torch.cuda._sleep(HOLD)
    begin.record()
    for stream in {*streams}:
        stream.wait_event(begin)
    for _ in range(CALLS):
        for stream, work in zip(streams, works):
            with torch.cuda.stream(stream):
                work()
    assert not held or not begin.query(), "the host was too slow"
    for stream in {*streams}:
        here.wait_stream(stream)
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / 1e3


# %%
# Run once in each stream, which loads the kernels, and warm up by time. Then the two ways take
# turns, and turns to come first.


def took_in_turns(works):
    ways = (one, one), (one, two)
    for stream in (one, two):
        seconds((stream, stream), works, held=False)
    warm_until = time.perf_counter() + 0.2
    while time.perf_counter() < warm_until:
        for way in ways:
            seconds(way, works)
    rounds = []
    for turn in range(ROUNDS):
        order = ways[:: -1 if turn % 2 else 1]
        rounds.append({way: seconds(way, works) for way in order})
    return [[took[way] for took in rounds] for way in ways]


count = torch.cuda.get_device_properties(0).multi_processor_count
GRIDS = {"all": (count, 512), "half": (count // 2, 512), "few": (count // 8, 256)}
rows = []
for name, grid in GRIDS.items():
    row = {"blocks": name}
    for kind in ("spinning", "reading"):
        alone, both = took_in_turns(kernels(kind, *grid))
        row[f"{kind}_speedup"] = {"samples": [a / b for a, b in zip(alone, both)]}
        print(f"{name}, {kind}: {median(alone) / median(both):.2f} times as fast")
    rates = [2 * CALLS * x.nbytes / t for t in alone]  # of the kernels that read
    rows.append(row | {"read_bytes_per_s": {"samples": rates}})

# %%
# The speedup of two streams over one, and what one stream reads in a second.

measured = {"by_blocks": {"table": rows}}
