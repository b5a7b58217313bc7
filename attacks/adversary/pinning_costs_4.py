"""
pinning_costs_4: docs/transfer/pinning_costs.md:191 (no claim)

Sentence: They are set in `PYTORCH_ALLOC_CONF`, for the whole program.
Attack: set pinned_use_cuda_host_register and pinned_num_register_threads between two first pinnings of one program (as a_background_thread_collects_pinned_blocks.py does with another option); count cudaHostAlloc and cudaHostRegister in the profiler for pinned memory before, with and after
Expectation: the path of a first pinning changes at run time: not only the variable sets them, and not for the whole program
Refuted if: cudaHostAlloc before, cudaHostRegister (no cudaHostAlloc) while set, cudaHostAlloc again after setting it back
"""
import json
import os
import time

T0 = time.perf_counter()
import torch

SENTENCE = 'They are set in `PYTORCH_ALLOC_CONF`, for the whole program.'


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


def calls():
    empty_host_cache()
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], acc_events=True) as p:
        torch.empty(4 * 2**20, dtype=torch.uint8, pin_memory=True)
    names = [e.name for e in p.events()]
    return {n: names.count(n) for n in ("cudaHostAlloc", "cudaHostRegister")}


def setting(text):
    for way in ("_accelerator_setAllocatorSettings", "_cuda_cudaCachingAllocator_set_allocator_settings"):
        if hasattr(torch._C, way):
            getattr(torch._C, way)(text)
            return way


def main():
    torch.cuda.init()
    torch.ones(1, device="cuda").cpu()
    calls()
    numbers = {"before": calls()}
    numbers["way"] = setting("pinned_use_cuda_host_register:True,pinned_num_register_threads:8")
    numbers["set"] = calls()
    setting("pinned_use_cuda_host_register:False")
    numbers["set back"] = calls()
    a, b, c = (numbers[k] for k in ("before", "set", "set back"))
    refuted = a["cudaHostAlloc"] == 1 and b["cudaHostRegister"] >= 1 and b["cudaHostAlloc"] == 0 and c["cudaHostAlloc"] == 1
    return refuted, numbers


try:
    finish(*main())
except Exception as error:
    import traceback
    out(error=traceback.format_exc()[-1500:])
    finish(False, {"error": repr(error)})
