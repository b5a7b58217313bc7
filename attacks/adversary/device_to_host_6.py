"""
device_to_host_6: docs/transfer/device_to_host.md:61, 401

Sentence: `x.to("cpu", non_blocking=True)` puts its result into pinned memory; `if`, f-string and isnan wait for the stream once each.
Attack: results that are transposed, with gaps, expanded, cast on the way, conjugate, of one element, sparse, a list's stack; whether the result is pinned; and right after a wait (held stream)
Expectation: strided ones are pinned; a sparse one may not be; a conjugate may be wrong
Refuted if: any non-empty result is not pinned, or wrong after torch.cuda.synchronize()
"""
import json
import os
import time

T0 = time.perf_counter()
import torch

SENTENCE = '`x.to("cpu", non_blocking=True)` puts its result into pinned memory; `if`, f-string and isnan wait for the stream once each.'


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
    x = torch.randn(512, 512, device="cuda")
    c = torch.randn(512, 512, device="cuda", dtype=torch.complex64)
    kinds = {
        "dense": (x, {}), "transposed": (x.t(), {}), "gaps": (x[:, ::2], {}), "column": (x[:, 3], {}),
        "expanded": (x[:, :1].expand(512, 512), {}), "to half": (x, {"dtype": torch.float16}), "to double": (x, {"dtype": torch.float64}),
        "one number": (x[0, 0], {}), "conjugate": (c.conj(), {}), "imag of conjugate": (c.conj().imag, {}),
        "conjugate to complex128": (c.conj(), {"dtype": torch.complex128}),
        "bool": (x > 0, {}), "channels last": (torch.randn(4, 8, 16, 16, device="cuda").to(memory_format=torch.channels_last), {}),
    }
    hold = cycles_of(0.005)
    rows = {}
    for kind, (source, options) in kinds.items():
        try:
            want = source.cpu().to(**options) if options else source.cpu()
            torch.cuda.synchronize()
            torch.cuda._sleep(hold)
            got = source.to("cpu", non_blocking=True, **options)
            torch.cuda.synchronize()
            rows[kind] = {"pinned": got.is_pinned(), "right": torch.allclose(got.resolve_conj().resolve_neg().cfloat() if got.is_complex() else got.resolve_neg().double(),
                          want.resolve_conj().resolve_neg().cfloat() if want.is_complex() else want.resolve_neg().double(), atol=2e-3)}
        except Exception as error:
            rows[kind] = {"raises": repr(error)[:200]}
    try:
        sparse = (x > 2).float().to_sparse()
        got = sparse.to("cpu", non_blocking=True)
        torch.cuda.synchronize()
        rows["sparse"] = {"pinned": got._values().is_pinned(), "right": torch.equal(got.to_dense(), sparse.cpu().to_dense())}
    except Exception as error:
        rows["sparse"] = {"raises": repr(error)[:200]}
    unpinned = [k for k, r in rows.items() if r.get("pinned") is False]
    wrong = [k for k, r in rows.items() if r.get("right") is False]
    return bool(unpinned or wrong), {"unpinned": unpinned, "wrong": wrong, "all": rows}


try:
    finish(*main())
except Exception as error:
    import traceback
    out(error=traceback.format_exc()[-1500:])
    finish(False, {"error": repr(error)})
