"""
many_small_tensors_3: docs/transfer/many_small_tensors.md:334 (no claim)

Sentence: A buffer of bytes takes tensors of any type, each as a view with `view(torch.uint8)`, and on the GPU each part is viewed as its type again.
Attack: every dtype through view(torch.uint8) and back; then a tensor without dimensions (a label, a scale), one with gaps in its last dimension, a conjugate view, a quantized and a sparse one
Expectation: all dtypes pass in one dimension; view(torch.uint8) raises for a 0-d tensor of more than one byte (the script's comment says so, the page does not), for a column, a conjugate, a quantized and a sparse tensor
Refuted if: any dtype does not come back equal, or view(torch.uint8) raises for any tensor listed (criterion A: dtype; criterion B: kind); verdict by either
"""
import json
import os
import time

T0 = time.perf_counter()
import torch

SENTENCE = 'A buffer of bytes takes tensors of any type, each as a view with `view(torch.uint8)`, and on the GPU each part is viewed as its type again.'


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
    device = "cuda" if torch.cuda.is_available() else "cpu"
    names = ["bool", "uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64", "float16", "bfloat16", "float32",
             "float64", "complex32", "complex64", "complex128", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu", "float4_e2m1fn_x2"]
    failed = {}
    for n in names:
        if not hasattr(torch, n):
            continue
        try:
            raw = torch.randint(0, 2, (64,), dtype=torch.uint8)
            t = raw.view(getattr(torch, n))
            back = t.view(torch.uint8).to(device).view(getattr(torch, n)).view(torch.uint8).cpu()
            if not torch.equal(back, raw):
                failed[n] = "unequal"
        except Exception as error:
            failed[n] = str(error)[:160]
    import warnings
    warnings.simplefilter("ignore")
    kinds = {
        "0-d float": lambda: torch.tensor(0.5),
        "0-d int64 label": lambda: torch.tensor(3),
        "column": lambda: torch.ones(4, 4)[:, ::2],
        "transposed": lambda: torch.ones(4, 3).t(),
        "conjugate": lambda: torch.ones(4, dtype=torch.complex64).conj(),
        "negative view": lambda: torch.ones(4, dtype=torch.complex64).conj().imag,
        "quantized": lambda: torch.quantize_per_tensor(torch.ones(4), 0.1, 0, torch.qint8),
        "sparse": lambda: torch.eye(3).to_sparse(),
    }
    refused = {}
    for kind, make in kinds.items():
        try:
            make().view(torch.uint8)
        except Exception as error:
            refused[kind] = str(error)[:160]
    return bool(failed or refused), {"dtypes_failed": failed, "kinds_refused": refused}


try:
    finish(*main())
except Exception as error:
    import traceback
    out(error=traceback.format_exc()[-1500:])
    finish(False, {"error": repr(error)})
