"""
many_small_tensors_4: docs/transfer/many_small_tensors.md:64 (only _foreach_copy_ and Module.to are measured)

Sentence: Neither a call that takes lists nor a module makes one copy of many.
Attack: other calls that take a list: torch.nested.as_nested_tensor and nested_tensor with device='cuda' (strided and jagged layout) of 200 tensors on the host; copies from host to device counted by the profiler
Expectation: they pack on the host and send one copy, or a few (values, offsets)
Refuted if: any of these calls makes at most 10 host-to-device copies for 200 tensors, with the right values on the GPU
"""
import json
import os
import time

T0 = time.perf_counter()
import torch

SENTENCE = 'Neither a call that takes lists nor a module makes one copy of many.'


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

import warnings

from torch.profiler import ProfilerActivity, profile

warnings.simplefilter("ignore")
COUNT, FLOATS = 200, 1000


def main():
    tensors = [torch.randn(FLOATS) for _ in range(COUNT)]
    nested = torch.nested
    ways = {
        "loop": lambda: [t.to("cuda") for t in tensors],
        "as_nested strided": lambda: nested.as_nested_tensor(tensors, device="cuda"),
        "as_nested jagged": lambda: nested.as_nested_tensor(tensors, device="cuda", layout=torch.jagged),
        "nested_tensor strided": lambda: nested.nested_tensor(tensors, device="cuda"),
        "nested_tensor jagged": lambda: nested.nested_tensor(tensors, device="cuda", layout=torch.jagged),
    }
    numbers = {}
    for round_ in range(2):
        for name, way in ways.items():
            try:
                way()
                torch.cuda.synchronize()
                with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], acc_events=True) as p:
                    got = way()
                    torch.cuda.synchronize()
                names = [e.name for e in p.events()]
                begin = time.perf_counter()
                way()
                torch.cuda.synchronize()
                seconds = time.perf_counter() - begin
                parts = list(got) if isinstance(got, list) else got.unbind()
                right = len(parts) == COUNT and all(torch.equal(p_.cpu(), t) for p_, t in zip(parts, tensors))
                numbers[name] = {"memcpy_calls": names.count("cudaMemcpyAsync"), "htod": sum("HtoD" in n for n in names), "right": right,
                                 "device": str(parts[0].device), "us": seconds * 1e6}
            except Exception as error:
                numbers[name] = {"error": repr(error)[:200]}
    hits = [n for n, v in numbers.items() if n != "loop" and v.get("right") and 1 <= v["memcpy_calls"] <= 10 and v["device"].startswith("cuda")]
    return bool(hits), {"one_or_few": hits, "all": numbers}


try:
    finish(*main())
except Exception as error:
    import traceback
    out(error=traceback.format_exc()[-1500:])
    finish(False, {"error": repr(error)})
