"""
many_small_tensors_6: docs/transfer/many_small_tensors.md:89-91 (200 float tensors of one type)

Sentence: Within the GPU the lists do help: `_foreach_copy_` launches 4 kernels.
Attack: the page's own other case, parts of several types in one buffer (float32, int64, bool, half views, aligned to 16), distributed to tensors that exist by one _foreach_copy_; and parts of different shapes or with gaps; count kernels and copies
Expectation: with several types the fast path is refused and each tensor is copied by itself
Refuted if: with several types (all pairs equal in type) the number of copies and kernels is at least half the number of tensors
"""
import json
import os
import time

T0 = time.perf_counter()
import torch

SENTENCE = 'Within the GPU the lists do help: `_foreach_copy_` launches 4 kernels.'


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

from torch.profiler import ProfilerActivity, profile

COUNT = 200


def counted(targets, sources):
    torch._foreach_copy_(targets, sources, non_blocking=True)
    torch.cuda.synchronize()
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], acc_events=True) as p:
        torch._foreach_copy_(targets, sources, non_blocking=True)
        torch.cuda.synchronize()
    names = [e.name for e in p.events()]
    return {"copies": names.count("cudaMemcpyAsync"), "kernels": names.count("cudaLaunchKernel") + names.count("cudaLaunchKernelExC")}


def main():
    one = torch.randn(COUNT * 1000, device="cuda").split(1000)
    numbers = {}
    for _ in range(2):
        numbers["one type"] = counted([torch.empty_like(p) for p in one], list(one))
        types = [torch.float32, torch.int64, torch.bool, torch.float16]
        buffer = torch.zeros(COUNT * 8000, dtype=torch.uint8, device="cuda")
        mixed = [p[: 1000 * types[i % 4].itemsize].view(types[i % 4]) for i, p in enumerate(buffer.split(8000))]
        numbers["four types"] = counted([torch.empty_like(p) for p in mixed], mixed)
        gaps = [torch.empty(1000, 2, device="cuda")[:, 0] for _ in one]
        numbers["targets with gaps"] = counted(gaps, list(one))
        numbers["other type of target"] = counted([p.half() for p in one], list(one))
    r = numbers["four types"]
    return r["copies"] + r["kernels"] >= COUNT / 2, numbers


try:
    finish(*main())
except Exception as error:
    import traceback
    out(error=traceback.format_exc()[-1500:])
    finish(False, {"error": repr(error)})
