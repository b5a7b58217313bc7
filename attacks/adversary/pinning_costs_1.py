"""
pinning_costs_1: docs/transfer/pinning_costs.md:187 (no claim)

Sentence: The block goes back to the thread that dropped it: another thread that pins as much allocates anew.
Attack: pin and drop 8 MiB in the main thread, then pin as much in another thread; and the reverse (pinned and dropped in a thread that has ended, and in one that is alive); count num_host_alloc and compare addresses
Expectation: no new block: PyTorch's pool of pinned blocks belongs to the process
Refuted if: the other thread makes no new block in all three orders
"""
import json
import os
import time

T0 = time.perf_counter()
import torch

SENTENCE = 'The block goes back to the thread that dropped it: another thread that pins as much allocates anew.'


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

import threading

SIZE = 8 * 2**20


def pin():
    x = torch.empty(SIZE, dtype=torch.uint8, pin_memory=True)
    return x.data_ptr()


def in_thread(work):
    box = []
    thread = threading.Thread(target=lambda: box.append(work()))
    thread.start()
    thread.join()
    return box[0]


def made():
    return torch.cuda.host_memory_stats()["num_host_alloc"]


def main():
    torch.cuda.init()
    torch.ones(1, device="cuda").cpu()
    numbers = {}
    for name, first, second in (
        ("main then thread", pin, lambda: in_thread(pin)),
        ("ended thread then main", lambda: in_thread(pin), pin),
        ("thread then another thread", lambda: in_thread(pin), lambda: in_thread(pin)),
    ):
        empty_host_cache()
        a = first()
        before = made()
        b = second()
        numbers[name] = {"new_blocks": made() - before, "same_address": a == b}
    # control: while the first is alive, a second one needs a block
    empty_host_cache()
    alive = torch.empty(SIZE, dtype=torch.uint8, pin_memory=True)
    before = made()
    in_thread(pin)
    numbers["control, first alive"] = {"new_blocks": made() - before}
    del alive
    cases = [v for k, v in numbers.items() if not k.startswith("control")]
    return all(v["new_blocks"] == 0 for v in cases), numbers


try:
    finish(*main())
except Exception as error:
    import traceback
    out(error=traceback.format_exc()[-1500:])
    finish(False, {"error": repr(error)})
