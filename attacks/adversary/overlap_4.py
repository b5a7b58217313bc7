"""
Sentence (transfer/overlap.md:277, 285): In a third stream, 0 launches waited: beside such a thread, compute in a stream of your own.

Attack: The script launches one tiny kernel 2 ms after the start of one copy of 128 MiB. Here: a row of 300 launches in the third stream during pageable copies that follow each other in the thread (1, 16, 256 MiB); kernels of other kinds: one that allocates, a product, a pinned copy, a short pageable copy, an event that is recorded and waited for; first use of an operation left out. The longest call of each row, over the copy's time.

Expected: kernels do not wait; a pageable copy in the third stream does, since both need staging, and so does whatever reaches the driver's allocator.

Refuted if: for some KERNEL (add, product, allocating add; not the copies) more than 5 % of the calls (median of 3 rows, copies of 16 MiB or more) take more than a quarter of the time of one copy. Control, not counted: an addition in the default stream.
"""
import json
import time

import torch

SENTENCE = 'In a third stream, 0 launches waited: beside such a thread, compute in a stream of your own.'


def say(**row):
    print(json.dumps(row, default=str), flush=True)


import threading
from statistics import median


def attack():
    third, side = torch.cuda.Stream(), torch.cuda.Stream()
    counter = torch.zeros(16, device="cuda")
    factor = torch.ones(256, 256, device="cuda")
    out = torch.empty_like(factor)
    pinned, short = torch.ones(4096, pin_memory=True), torch.ones(4096)
    small = torch.empty(4096, device="cuda")
    kinds = {
        "add": lambda: counter.add_(1), "allocating add": lambda: factor + 1, "product": lambda: torch.mm(factor, factor, out=out),
        "pinned copy": lambda: small.copy_(pinned, non_blocking=True), "short pageable copy": lambda: small.copy_(short, non_blocking=True),
        "control: add in the default stream": lambda: counter.add_(1),
    }
    default = torch.cuda.current_stream()
    with torch.cuda.stream(third):
        for kind in kinds.values():
            kind()
    torch.cuda.synchronize()
    bad, rows = [], {}
    for size in (2**20, 2**24, 2**28):
        pageable = torch.ones(size, dtype=torch.uint8)
        target = torch.empty(size, dtype=torch.uint8, device="cuda")
        times, stop = [], threading.Event()

        def copies():
            while not stop.is_set():
                begin = time.perf_counter()
                with torch.cuda.stream(side):
                    target.copy_(pageable, non_blocking=True)
                times.append(time.perf_counter() - begin)

        copies_once = threading.Thread(target=copies)
        copies_once.start()
        time.sleep(0.05)
        for name, kind in kinds.items():
            shares = []
            for row in range(3):
                calls = []
                until = time.perf_counter() + 0.06
                while time.perf_counter() < until and len(calls) < 300:
                    begin = time.perf_counter()
                    with torch.cuda.stream(default if "control" in name else third):
                        kind()
                    calls.append(time.perf_counter() - begin)
                    time.sleep(0.0002)
                copy = median(times) if times else float("nan")
                slow = sum(c > 0.25 * copy for c in calls)
                shares.append(slow / len(calls))
                longest = max(calls)
            rows[f"{name} {size >> 20} MiB"] = round(median(shares), 3)
            say(size_mib=size >> 20, kind=name, slow_share=shares, longest_us=round(longest * 1e6), copy_ms=round(copy * 1e3, 3))
            if size >= 2**24 and "copy" not in name and "control" not in name and median(shares) > 0.05:
                bad.append(f"{name} {size >> 20} MiB")
        stop.set()
        copies_once.join()
        torch.cuda.synchronize()
    return bool(bad), {"kernels_that_waited": bad, "slow_share": rows}


if __name__ == "__main__":
    try:
        refuted, numbers = attack()
        verdict = "refuted" if refuted else "not refuted"
    except Exception as error:  # the attack failed: it decides nothing
        verdict, numbers = "not refuted", {"failed": f"{type(error).__name__}: {str(error)[:300]}"}
    print(json.dumps({"verdict": verdict, "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
