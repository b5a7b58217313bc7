"""
Some operators that change are slower
=====================================

Which operators are slower in deterministic mode, and by how much? Each call here launches other
kernels in that mode, or did on a smaller input: most take many times as long, some no longer.
"""

# sphinx_gallery_evidence = {"expected_warnings": ["Attempting to run cuBLAS"]}
import time
from functools import partial
from itertools import product

import torch

# %%
# A million numbers, in a row, in rows, in short rows or in images; indices are drawn at random.

N, F = 2**20, torch.nn.functional
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
both: index_put: x.index_put((index,), values)
both: cumulative_trapezoid: torch.cumulative_trapezoid(x)
both: masked.cumsum: torch.masked.cumsum(x, 0, mask=mask)
both: matrix_exp: torch.matrix_exp(square * values[:64, None, None])
both: interpolate.bilinear: F.interpolate(image, scale_factor=2, mode="{}")
both: interpolate.trilinear: F.interpolate(volume, scale_factor=2, mode="{}")
both: upsample_bilinear: F.interpolate(image, (99, 99), mode="bilinear", align_corners=True)
both: pad.replicate: F.pad(image, (4, 4, 4, 4), "replicate")
both: pad.replicate_negative: F.pad(image, (-4, 4, -4, 4), "replicate")
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
backward: max, min, mode: short.{}(1).values
backward: kthvalue, topk: short.{}(2, 1).values"""

# %%
# A backward pass belongs to a forward pass in the same mode: some operators decide there.

ROUNDS, REPEATS, BOTH = 3, 2, ("forward", "backward")
torch.utils.deterministic.fill_uninitialized_memory = False
begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))


def make(text, way, mode):
    torch.use_deterministic_algorithms(mode)
    call = eval(f"lambda: {text}")
    if way == "backward":
        given = (y := call()), LEAVES, torch.randn_like(y)
        call = partial(torch.autograd.grad, *given, True, False, allow_unused=True)
    return call, mode


def seconds(call, mode):
    torch.use_deterministic_algorithms(mode)
    call()
    torch.cuda._sleep(4_000_000)  # so that the host is ahead, unless a call waits
    begin.record()
    for _ in range(REPEATS):
        call()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / 1000


warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    seconds(lambda: rows @ rows, False)
calls, made = [], []
for ways, names, text in (line.split(": ", 2) for line in CALLS.splitlines()):
    for name, way in product(names.split(", "), BOTH if ways == "both" else [ways]):
        arms = [make(text.format(name.split(".")[-1]), way, m) for m in (False, True)]
        times = [[seconds(*arm) for arm in arms] for _ in range(ROUNDS + 1)][1:]
        ratios = [on / off for off, on in times]
        calls.append({"call": f"{name}, {way}", "slowdown": {"samples": ratios}})
        made += arms
        print(name, way, sorted(ratios)[ROUNDS // 2])

# %%
# Are the kernels others on these inputs, too? The profiler tells; short waits stand between calls.

with torch.profiler.profile(acc_events=True) as profile:
    for call, mode in made:
        torch.use_deterministic_algorithms(mode)
        torch.cuda._sleep(1)
        call()
    torch.cuda.synchronize()
sets = []
for event in sorted(profile.events(), key=lambda event: event.time_range.start):
    if "spin_kernel" in event.name:
        sets.append(set())
    elif event.device_type.name == "CUDA":
        sets[-1].add(event.name)
for row, off, on in zip(calls, sets[::2], sets[1::2], strict=True):
    row["changed"] = off != on
medians = [sorted(row["slowdown"]["samples"])[ROUNDS // 2] for row in calls]
measured = {"calls": len(calls), "changed": sum(row["changed"] for row in calls)}
measured["slower"] = {"samples": [sum(ratio > 1.5 for ratio in medians)]}
measured["as_fast"] = {"samples": [sum(0.9 <= ratio <= 1.1 for ratio in medians)]}
measured["by_call"] = {"table": calls}
