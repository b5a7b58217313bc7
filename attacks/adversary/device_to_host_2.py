"""
device_to_host_2: docs/transfer/device_to_host.md:17, 204 (measured with dense float32 results)

Sentence: `on_host` goes around anything that yields results of one shape (and results that are read late are right).
Attack: results of one shape that are views: transposed, with gaps, expanded, a conjugate, the imaginary part of a conjugate (a negative view: a float tensor), and whose type changes on the way; each step held for some milliseconds; compared with .cpu() of the same
Expectation: a lazy conjugate or negative view is resolved on the host's slot when the copy is called and overwritten by the copy that comes later: wrong values, without an error; the others are right
Refuted if: any result differs from result.cpu() (criterion fixed: torch.equal after resolve_conj and resolve_neg)
"""
import json
import os
import time

T0 = time.perf_counter()
import torch

SENTENCE = '`on_host` goes around anything that yields results of one shape (and results that are read late are right).'


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

def on_host(results):
    slots, arrived = [], [torch.cuda.Event(), torch.cuda.Event()]
    for step, result in enumerate(results):
        if step < 2:
            slots.append(torch.empty_like(result, device="cpu", pin_memory=True))
        slots[step % 2].copy_(result.detach(), non_blocking=True)
        arrived[step % 2].record()
        if step:
            arrived[step % 2 - 1].synchronize()
            yield slots[step % 2 - 1]
    if slots:
        arrived[step % 2].synchronize()
        yield slots[step % 2]


def main():
    n = 256
    base = [torch.randn(n, n, dtype=torch.complex64, device="cuda") for _ in range(4)]
    real = [torch.randn(n, n, device="cuda") for _ in range(4)]
    kinds = {
        "dense": real,
        "transposed": [x.t() for x in real],
        "gaps": [x[:, ::2] for x in real],
        "expanded": [x[:, :1].expand(n, n) for x in real],
        "type changes": [x if i % 2 else x.double() for i, x in enumerate(real)],
        "half later": [x.half() if i > 1 else x for i, x in enumerate(real)],
        "complex": base,
        "conjugate": [x.conj() for x in base],
        "conjugate transposed": [x.mH for x in base],
        "imag of conjugate": [x.conj().imag for x in base],
    }
    hold = cycles_of(0.005)
    rows = {}
    for kind, results in kinds.items():
        want = [r.cpu().resolve_conj().resolve_neg().clone() for r in results]
        torch.cuda.synchronize()

        def held():
            for r in results:
                torch.cuda._sleep(hold)
                yield r

        try:
            got = [x.clone().resolve_conj().resolve_neg() for x in on_host(held())]
            right = sum(torch.equal(a, b.to(a.dtype)) if a.dtype == b.dtype else torch.allclose(a.double(), b.double()) for a, b in zip(got, want))
            rows[kind] = {"right": right, "of": len(want)}
        except Exception as error:
            rows[kind] = {"raises": repr(error)[:200]}
    bad = [k for k, r in rows.items() if r.get("right") != r.get("of") or "raises" in r]
    return bool(bad), {"wrong": bad, "all": rows}


try:
    finish(*main())
except Exception as error:
    import traceback
    out(error=traceback.format_exc()[-1500:])
    finish(False, {"error": repr(error)})
