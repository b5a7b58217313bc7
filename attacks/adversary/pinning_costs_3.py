"""
pinning_costs_3: docs/transfer/pinning_costs.md:515 (no claim)

Sentence: Where `num_host_alloc` grows in every step of a loop, each step pays for a first pinning: it counts how often a block was made.
Attack: with pinned_reserve_segment_size_mb a block is made without a call of CUDA: keep 20 pinned tensors of 1 MiB, one a step; compare the growth of num_host_alloc with that of host_alloc_time.count, and the time of a step with that of a first pinning of the same size outside the segment
Expectation: num_host_alloc grows by 20 with no call of CUDA, and a step costs a fraction of a first pinning (the script reserved_pinned_memory_is_used_up says itself that num_host_alloc would not see that)
Refuted if: num_host_alloc grows in each of 20 steps, host_alloc_time.count in none, and the median step takes less than 1/3 of a first pinning without segment
"""
import json
import os
import time

T0 = time.perf_counter()
import torch

SENTENCE = 'Where `num_host_alloc` grows in every step of a loop, each step pays for a first pinning: it counts how often a block was made.'


def out(**row):
    print(json.dumps(row, default=str), flush=True)


def finish(refuted, numbers):
    verdict = "refuted" if refuted else "not refuted"
    row = {"verdict": verdict, "sentence": SENTENCE, "numbers": numbers}
    print(json.dumps(row, default=str), flush=True)


def cycles_of(seconds):
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    for _ in range(2):
        begin.record()
        torch.cuda._sleep(10_000_000)
        end.record()
        end.synchronize()
    return int(seconds * 10_000_000 / (begin.elapsed_time(end) / 1e3))


def empty_host_cache():
    public = getattr(torch.accelerator, "empty_host_cache", None)
    (public or torch._C._host_emptyCache)()

import subprocess
import sys
from statistics import median

CHILD = """
import json, time, torch
torch.cuda.init(); torch.ones(1, device='cuda').cpu()
kept = [torch.empty(2**20, dtype=torch.uint8, pin_memory=True)]
rows = []
for _ in range(20):
    a = torch.cuda.host_memory_stats()
    begin = time.perf_counter()
    kept.append(torch.empty(2**20, dtype=torch.uint8, pin_memory=True))
    s = time.perf_counter() - begin
    b = torch.cuda.host_memory_stats()
    rows.append([b[k] - a[k] for k in ('num_host_alloc', 'host_alloc_time.count')] + [s])
print(json.dumps(rows))
"""
CHILD = "\n".join(line.removeprefix(" ") for line in CHILD.splitlines())


def child(options):
    env = dict(os.environ, PYTORCH_ALLOC_CONF=options)
    return subprocess.Popen([sys.executable, "-c", CHILD], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def main():
    running = {"segment": child("pinned_reserve_segment_size_mb:64"), "none": child("")}
    rows = {}
    for name, process in running.items():
        o, e = process.communicate()
        if process.returncode:
            out(child=name, error=e[-400:])
        rows[name] = json.loads(o)
    numbers = {n: {"blocks": sum(r[0] for r in rs), "cuda_calls": sum(r[1] for r in rs), "median_s": median(r[2] for r in rs)} for n, rs in rows.items()}
    s, n = numbers["segment"], numbers["none"]
    return s["blocks"] == 20 and s["cuda_calls"] == 0 and s["median_s"] < n["median_s"] / 3, numbers


try:
    finish(*main())
except Exception as error:
    import traceback
    out(error=traceback.format_exc()[-1500:])
    finish(False, {"error": repr(error)})
