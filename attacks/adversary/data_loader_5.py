"""
data_loader_5: docs/transfer/data_loader.md:438, 449 (measured: 2 workers, prefetch_factor 3)

Sentence: Workers pin ahead: a loop that is slower than its loader needs one block for each batch in store and one for its own; a second epoch allocates nothing.
Attack: other numbers: (1 worker, 2), (3, 2); a loop that lets its batch go before it asks for the next one; a loop that keeps a batch until the copy of the next is queued; persistent workers; and the second epoch of each
Expectation: workers * prefetch_factor + 1 blocks at first in the plain loop, no new one in the second epoch
Refuted if: a plain loop needs another number than workers * prefetch_factor + 1 (criterion A), or a second epoch of the same loop allocates (criterion B)
"""
import json
import os
import time

T0 = time.perf_counter()
import warnings

warnings.simplefilter('ignore')
import torch

SENTENCE = 'Workers pin ahead: a loop that is slower than its loader needs one block for each batch in store and one for its own; a second epoch allocates nothing.'


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

from torch.utils.data import DataLoader


def made():
    return torch.cuda.host_memory_stats()["num_host_alloc"]


def main():
    torch.cuda.init()
    torch.ones(1, device="cuda").cpu()
    data = torch.ones(16 * 16, 2**14, dtype=torch.uint8)
    numbers, bad = [], []
    for workers, each, persistent, loop in ((1, 2, False, "plain"), (3, 2, False, "plain"), (2, 3, True, "plain"), (1, 2, False, "let go"), (1, 2, False, "previous")):
        empty_host_cache()
        loader = DataLoader(data, batch_size=16, num_workers=workers, prefetch_factor=each, pin_memory=True,
                            persistent_workers=persistent, multiprocessing_context="fork")
        counts = []
        for epoch in range(2):
            before, previous = made(), None
            for batch in loader:
                batch.to("cuda", non_blocking=True)
                torch.cuda.synchronize()
                time.sleep(0.015)
                if loop == "let go":
                    del batch
                elif loop == "previous":
                    previous = batch
            batch = previous = None
            counts.append(made() - before)
        row = {"workers": workers, "each": each, "persistent": persistent, "loop": loop, "first": counts[0], "second": counts[1]}
        out(**row)
        numbers.append(row)
        if counts[1] or (loop == "plain" and counts[0] != workers * each + 1):
            bad.append(row)
    return bool(bad), {"refuting": bad, "all": numbers}


try:
    finish(*main())
except Exception as error:
    import traceback
    out(error=traceback.format_exc()[-1500:])
    finish(False, {"error": repr(error)})
