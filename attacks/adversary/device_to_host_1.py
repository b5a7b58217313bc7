"""
device_to_host_1: docs/transfer/device_to_host.md:27 (no claim)

Sentence: Use it as `for loss in one_step_late(losses):`, around anything that yields losses on the GPU.
Attack: losses of other types and shapes: FP64, BF16, integer counts above 2**24, complex, shape (1,), none at all (an empty epoch), one only; compared with item() of each
Expectation: FP64 and large integers come out rounded to FP32 (the slots are FP32), shape (1,) raises, an empty epoch raises UnboundLocalError
Refuted if: a value differs from item(), or the generator raises, for any kind of losses
"""
import json
import os
import time

T0 = time.perf_counter()
import torch

SENTENCE = 'Use it as `for loss in one_step_late(losses):`, around anything that yields losses on the GPU.'


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

def one_step_late(losses):
    slots = torch.zeros(2, pin_memory=torch.cuda.is_available())
    arrived = [torch.cuda.Event() for _ in range(2)] if torch.cuda.is_available() else [Fake(), Fake()]
    for step, loss in enumerate(losses):
        slots[step % 2].copy_(loss.detach(), non_blocking=True)
        arrived[step % 2].record()
        if step:
            arrived[1 - step % 2].synchronize()
            yield slots[1 - step % 2].item()
    arrived[step % 2].synchronize()
    yield slots[step % 2].item()


class Fake:
    def record(self):
        pass

    def synchronize(self):
        pass


def main():
    device = "cuda" if torch.cuda.is_available() else "cpu"
    kinds = {
        "float32": [torch.tensor(v, device=device) for v in (0.1, 0.2, 0.3)],
        "bfloat16": [torch.tensor(v, device=device).bfloat16() for v in (0.1, 0.2, 0.3)],
        "float64": [torch.tensor(v, device=device, dtype=torch.float64) for v in (0.1, 0.2, 0.3)],
        "int64": [torch.tensor(2**24 + v, device=device) for v in (1, 3, 5)],
        "shape (1,)": [torch.full((1,), v, device=device) for v in (0.1, 0.2)],
        "one": [torch.tensor(0.1, device=device)],
        "none": [],
    }
    rows = {}
    for kind, losses in kinds.items():
        try:
            got = list(one_step_late(iter(losses)))
            want = [loss.item() for loss in losses]
            rows[kind] = {"equal": got == want, "got": got[:1], "want": want[:1]}
        except Exception as error:
            rows[kind] = {"raises": repr(error)[:160]}
    bad = [k for k, r in rows.items() if "raises" in r or not r["equal"]]
    return bool(bad), {"wrong_or_raises": bad, "all": rows}


try:
    finish(*main())
except Exception as error:
    import traceback
    out(error=traceback.format_exc()[-1500:])
    finish(False, {"error": repr(error)})
