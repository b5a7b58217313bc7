"""
Where a training step spends its time
=====================================

My training is slow: where do I start? Give your loader and your step to the function below, which
names what to mend first. Six programs, each slow for a reason of its own, put it to the test.
"""

# sphinx_gallery_quiet = "host"
from itertools import chain, repeat
from time import perf_counter, sleep

import torch


def run(batches, step, steps=10):
    begin, loading = perf_counter(), 0
    for _ in range(steps):
        asked = perf_counter()
        batch = next(batches)
        loading += perf_counter() - asked
        step(batch)
    torch.cuda.synchronize()
    return perf_counter() - begin, loading


x = torch.randn(2048, 4096, device="cuda")
taken = run(repeat(x), lambda batch: batch @ batch.T)
print("all: {:.1e} s, of which the loader took {:.1e} s".format(*taken))

# %%
# The profiler tells when the GPU computes and copies, and when the host waits.

from torch.profiler import ProfilerActivity, profile
from torch.utils.data import DataLoader


def kinds(event):
    if "HtoD" in event.name or "DtoH" in event.name:
        return ["copies"]
    if event.device_type.name == "CUDA":
        return ["communication" if "nccl" in event.name else "kernels"]
    if "Memcpy" in event.name:  # the host copies, or waits for a copy
        return ["copies", "waits"]
    return ["waits"] if "Synchronize" in event.name else []


def seconds(spans):  # what runs at the same time counts once
    total = end = 0
    for start, stop in sorted(spans):
        total, end = total + max(0, stop - max(start, end)), max(end, stop)
    return total / 1e6


def where_time_goes(loader, step, steps=10):
    batches = chain.from_iterable(repeat(loader))
    for _ in range(2):  # the first time warms up
        left, loading = run(batches, step, steps)
        with profile(activities=[ProfilerActivity.CUDA], acc_events=True) as seen:
            run(batches, step, steps)
    spans = {kind: [] for kind in ("kernels", "copies", "communication", "waits")}
    for event in seen.events():
        for kind in kinds(event):
            spans[kind].append((event.time_range.start, event.time_range.end))
    waits, quarter, taken, busy = seconds(spans.pop("waits")), left / 4, {}, []
    for kind in spans:  # each without those before
        before, busy = seconds(busy), busy + spans[kind]
        taken[kind] = seconds(busy) - before
    for kind, found in {**taken, "loader": loading, "waits": waits}.items():
        taken[kind] = min(found, left)
        left -= taken[kind]
    rest = "launches" if left < 1e-4 * len(spans["kernels"]) else "other work"
    taken[rest] = left
    order = "loader", "copies", "waits", "communication", rest
    named = [kind for kind in order if taken[kind] > quarter] + ["kernels"]
    return named[0], {kind: found / steps for kind, found in taken.items()}


# %%
# Each program has the fault that the function should name. The step of most computes in FP32 for
# some milliseconds. A sleep acts for a file that is read, a log that is written, and other work.

from functools import partial

wide = torch.nn.Sequential(*[torch.nn.Linear(4096, 4096) for _ in range(2)]).cuda()
narrow = torch.nn.Sequential(*[torch.nn.Linear(64, 64) for _ in range(40)]).cuda()


def train(batch, model=wide, low=False, read=torch.detach, pause=0):
    with torch.autocast("cuda", torch.bfloat16, enabled=low):
        loss = model(batch.to("cuda", non_blocking=True)).square().mean()
    loss.backward()
    model.zero_grad()
    read(loss)
    sleep(pause)


large = torch.ones(2048, 4 * 4096)  # in pageable memory
few, many = (x[:rows, :64].contiguous() for rows in (16, 1024))
files = DataLoader([0.03] * 100, None, collate_fn=lambda pause: sleep(pause) or x)
pool = partial(train, model=torch.nn.Sequential(torch.nn.AvgPool1d(4), wide))
deep, log = partial(train, model=narrow), partial(train, pause=0.007)
programs = {  # a loader and a step with the fault, and both without it
    "loader": (files, train, [x], train),
    "copies": ([large], pool, [large.pin_memory()], pool),
    "waits": ([x], partial(log, read=torch.Tensor.item), [x], log),
    "launches": ([few], deep, [many], deep),
    "other work": ([x], partial(train, pause=0.02), [x], train),
    "kernels": ([x], train, [x], partial(train, low=True)),
}
table, more_rows = [], {"launches": len(many) / len(few)}
for program, (loader, step, other_loader, other_step) in programs.items():
    named, taken = where_time_goes(loader, step)
    step_s, batches = sum(taken.values()), chain.from_iterable(repeat(other_loader))
    mended_s = [run(batches, other_step)[0] / 10 for _ in range(2)][-1]
    share = taken.get(program, 0) / step_s
    speedup = more_rows.get(program, 1) * step_s / mended_s
    samples = {"own_share": {"samples": [share]}, "speedup": {"samples": [speedup]}}
    table.append({"program": program, "named": named, **samples})
    print(f"{program:>10}: named {named}, {share:.0%} of the step")
measured = {"by_program": {"table": table}}
