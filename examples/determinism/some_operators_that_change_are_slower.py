"""
Some operators that change are slower
=====================================

How much slower are operators that change, with new memory not filled? Most, by many times.
"""

# sphinx_gallery_evidence = {"expected_warnings": ["Attempting to run cuBLAS"]}
import time
from functools import partial
from itertools import product, starmap

import torch

# %%
# A million numbers, in a row, in rows, in short rows or in images; indices are drawn at random.

N, ROUNDS, REPEATS, F = 2**20, 3, 2, torch.nn.functional
leaf = partial(torch.randn, device="cuda", requires_grad=True)
x, rows, short, table = leaf(N), leaf(1024, 1024), leaf(N // 4, 4), leaf(64, 8)
image, volume, square = leaf(8, 32, 64, 64), leaf(2, 32, 16, 32, 32), leaf(64, 256, 256)
LEAVES = x, rows, short, table, image, volume, square
values, places = (torch.randn(N, device="cuda") for _ in range(2))
index, kernel = torch.randint(N, (N,), device="cuda"), leaf(32, 32, 3, 3, 3)
picks, few, mask = index.view(1024, 1024) % 1024, index % 64, values > 0
CALLS = """\
forward: index_add, index_copy, scatter, scatter_add: places.{}_(0, index, values)
forward: scatter_reduce.sum, scatter_reduce.mean: places.scatter_reduce_(0, index, values, "{}")
forward: isin: torch.isin(index, index[::16])
forward: conv_transpose3d: F.conv_transpose3d(volume, kernel)
forward + backward: index_put: x.index_put((index,), values)
forward + backward: cumulative_trapezoid: torch.cumulative_trapezoid(x)
forward + backward: masked.cumsum: torch.masked.cumsum(x, 0, mask=mask)
forward + backward: matrix_exp: torch.matrix_exp(square * values[:64, None, None])
forward + backward: interpolate.bilinear: F.interpolate(image, scale_factor=2, mode="{}")
forward + backward: interpolate.trilinear: F.interpolate(volume, scale_factor=2, mode="{}")
forward + backward: upsample_bilinear: F.interpolate(image, (99, 99), None, "bilinear", True)
forward + backward: pad.replicate: F.pad(image, (4, 4, 4, 4), "replicate")
forward + backward: pad.replicate_negative: F.pad(image, (-4, 4, -4, 4), "replicate")
backward: pad.reflect (images): F.pad(image, (4, 4, 4, 4), "reflect")
backward: embedding (64 rows): F.embedding(few[: N // 8], table)
backward: gather, index_select: x.{}(0, index)
backward: take_along_dim: rows.take_along_dim(picks, 1)
backward: as_strided, as_strided_copy: torch.{}(x, (N // 2 - 1, 4), (2, 1))
backward: repeat_interleave: x.repeat_interleave(few % 3)
backward: stft: torch.stft(x, 1024, 256, window=values[:1024], center=False, return_complex=True)
backward: masked.cumprod: torch.masked.cumprod(x, 0, mask=mask)
backward: scatter_reduce.amax, scatter_reduce.amin, scatter_reduce.mean: \
values.scatter_reduce(0, index, x, "{}")
backward: cummax, cummin, sort: rows.{}(1).values
backward: msort: rows.msort()
backward: quantile, nanquantile: rows.{}(0.5, 1)
backward: max, min, mode, kthvalue, topk: short.{}(1).values
backward: max (rows of 1024), topk (rows of 1024): rows.{}(1).values"""

# %%
# A backward pass has a forward pass in its mode: some decide there. A third arm fills new memory.

begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))


def run(call, mode, fill=False):
    torch.use_deterministic_algorithms(mode)
    torch.utils.deterministic.fill_uninitialized_memory = fill
    return call()


def make(text, name, way, mode):
    call = eval("lambda: " + text.format(name.split(" ")[0].split(".")[-1]))
    if way == "forward":
        return call
    given = (y := run(call, mode)), LEAVES, torch.randn_like(y), True, False
    return partial(torch.autograd.grad, *given, allow_unused=True)


def seconds(*arm):
    run(*arm)
    torch.cuda._sleep(4_000_000)  # so that the host is ahead, unless a call waits
    begin.record()
    for _ in range(REPEATS):
        run(*arm)
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / 1000


warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    seconds(lambda: rows @ rows, False)
calls, made, found = [], [], []
for ways, names, text in (line.split(": ", 2) for line in CALLS.splitlines()):
    for name, way in product(names.split(", "), ways.split(" + ")):
        off, on = (make(text, name, way, mode) for mode in (False, True))
        made += (arms := [(off, False), (on, True), (on, True, True)])
        times = [list(starmap(seconds, arms)) for _ in range(ROUNDS + 1)][1:]
        calls.append(row := {"call": f"{name}, {way}"})
        row["slowdown"] = {"samples": [on / off for off, on, _ in times]}
        row["filling_slowdown"] = {"samples": [fill / on for _, on, fill in times]}

# %%
# Are the kernels others on these inputs, too? The profiler tells; short waits stand between calls.

with torch.profiler.profile(acc_events=True) as profile:
    for arm in made:
        torch.cuda._sleep(1)
        run(*arm)
    torch.cuda.synchronize()
kernels = [event for event in profile.events() if event.device_type.name == "CUDA"]
for event in sorted(kernels, key=lambda event: event.time_range.start):
    found += [[]] * ("spin_kernel" in event.name)
    found[-1].append(event.name)
for row, off, on, fill in zip(calls, *(found[n::3] for n in range(3)), strict=True):
    row["changed"], row["filled"] = set(off) != set(on), len(fill) > len(on)
slow = [sorted(row["slowdown"]["samples"])[ROUNDS // 2] for row in calls]
fill = [sorted(row["filling_slowdown"]["samples"])[ROUNDS // 2] for row in calls]
measured = {"calls": len(calls), "by_call": {"table": calls}}
measured |= {key: sum(row[key] for row in calls) for key in ("changed", "filled")}
measured["slower"] = {"samples": [sum(ratio > 1.5 for ratio in slow)]}
measured["as_fast"] = {"samples": [sum(0.9 <= ratio <= 1.1 for ratio in slow)]}
measured["slowed_by_filling"] = {"samples": [sum(ratio > 1.1 for ratio in fill)]}
