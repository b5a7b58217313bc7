"""
Replays close the gaps between kernels
======================================

Are kernels faster in a replay? The kernels are not: the gaps between them are shorter, even if the
host has queued everything beforehand. Between long kernels, gaps do not matter.
"""

import torch

KERNELS = 100
x = torch.ones(1024, device="cuda")


def loop(x):
    for _ in range(KERNELS):
        x.add_(1)


loop(x)
torch.cuda.synchronize()
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    loop(x)

# %%
# The time of one kernel and its gap, by the size of the tensor: in a loop that was queued while the
# stream was held, and in a replay that was queued as well. The host does not matter in either.

SIZES = [2**power for power in (10, 16, 20, 26)]
HELD = 4_000_000  # cycles: longer than the host needs to queue the loop


def seconds(work):
    begin, end = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
    torch.cuda.synchronize()
    torch.cuda._sleep(HELD)
    begin.record()
    work()
    end.record()
    torch.cuda.synchronize()
    return begin.elapsed_time(end) / 1e3 / KERNELS


def captured(x):
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        loop(x)
    return graph


ROUNDS = 9
tensors = [torch.ones(size, device="cuda") for size in SIZES]
graphs = [captured(tensor) for tensor in tensors]
times = {size: [] for size in SIZES}


def turn(tensor, graph):
    return seconds(lambda: loop(tensor)), seconds(graph.replay)


for _ in range(ROUNDS + 3):
    for size, tensor, graph in zip(SIZES, tensors, graphs):
        times[size].append(turn(tensor, graph))

# %%
# How long are the kernels themselves, and which share of the time do they take? The profiler tells,
# for loops of short and of long kernels, and for replays of those between.

from statistics import median

from torch.profiler import ProfilerActivity, profile


def profiled(work):
    with profile(activities=[ProfilerActivity.CUDA], acc_events=True) as seen:
        work()
        torch.cuda.synchronize()
    kernels = [event for event in seen.events() if "vectorized" in event.name]
    spans = [(event.time_range.start, event.time_range.end) for event in kernels]
    begins, ends = zip(*spans)
    lengths = [end - begin for begin, end in spans]
    return median(lengths), sum(lengths) / (max(ends) - min(begins))


profiled(lambda: loop(x))
ratios, busy = [], {"short": [], "long": []}
for _ in range(3):
    alone, _ = profiled(lambda: loop(tensors[2]))
    ratios.append(alone / profiled(graphs[2].replay)[0])
    busy["short"].append(profiled(lambda: loop(tensors[0]))[1])
    busy["long"].append(profiled(lambda: loop(tensors[-1]))[1])

# %%
# The first rounds warm up.

rows = []
for size in SIZES:
    speedups = [queued / replayed for queued, replayed in times[size][3:]]
    rows.append({"size": size, "queued_speedup": {"samples": speedups}})
    print(size, f"{speedups[-1]:.2f}")

measured = {
    "by_size": {"table": rows},
    "profiled_size": SIZES[2],
    "kernel_speedup": {"samples": ratios},
    "short_busy_share": {"samples": busy["short"]},
    "long_busy_share": {"samples": busy["long"]},
}
