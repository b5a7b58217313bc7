"""
many_small_tensors_2: docs/transfer/many_small_tensors.md:381 (claim cat-converts-to-one-type: one triple of types)

Sentence: `torch.cat` does not refuse several types: it converts them all, integers and booleans beside a float to float32.
Attack: all pairs of the dtypes that a tensor can have, on the host and on the GPU: which does torch.cat refuse? and 'integers beside a float': float16, float64
Expectation: float8 types beside others and uint16/32/64 beside signed integers are refused (no promotion defined)
Refuted if: torch.cat raises for any pair of different dtypes, or integers beside a float give something else than float32
"""
import json
import os
import time

T0 = time.perf_counter()
import torch

SENTENCE = '`torch.cat` does not refuse several types: it converts them all, integers and booleans beside a float to float32.'


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

def main():
    names = ["bool", "uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64", "float16", "bfloat16",
             "float32", "float64", "complex64", "float8_e4m3fn", "float8_e5m2"]
    dtypes = [getattr(torch, n) for n in names if hasattr(torch, n)]
    numbers = {}
    for device in ("cpu", "cuda"):
        refused, first = [], None
        try:
            made = [torch.zeros(2, dtype=d, device=device) for d in dtypes]
        except Exception as error:
            out(device=device, error=repr(error))
            continue
        for i, a in enumerate(made):
            for b in made[i + 1:]:
                try:
                    torch.cat([a, b])
                except Exception as error:
                    refused.append(f"{a.dtype}+{b.dtype}".replace("torch.", ""))
                    first = first or str(error)[:160]
        numbers[device] = {"refused": len(refused), "pairs": len(made) * (len(made) - 1) // 2, "some": refused[:12], "error": first}
        out(device=device, refused=refused)
    half = torch.cat([torch.arange(3), torch.zeros(1).half()]).dtype
    double = torch.cat([torch.arange(3), torch.zeros(1).double()]).dtype
    numbers["int64 beside half"] = str(half)
    numbers["int64 beside double"] = str(double)
    return any(v["refused"] for k, v in numbers.items() if isinstance(v, dict)), numbers


try:
    finish(*main())
except Exception as error:
    import traceback
    out(error=traceback.format_exc()[-1500:])
    finish(False, {"error": repr(error)})
