"""
pinning_costs_2: docs/transfer/pinning_costs.md:212, 228, 236 (measured at 4 MiB, with a side stream busy)

Sentence: A first pinning does not wait for the GPU / pinning into a cached block does not wait either / giving pinned memory back waits
Attack: other sizes (4 KiB, 64 MiB), x.pin_memory() instead of empty(), the default stream busy as well as a side stream, with blocks of other copies in flight in the pool, called in another thread; emptying of the same sizes, and emptying when nothing can be freed
Expectation: pinning returns early everywhere; emptying waits at every size where it frees something
Refuted if: in any of these cases 2 of 2 first or cached pinnings return only when the kernel has ended, or 2 of 2 emptyings that free a block return before
"""
import json
import os
import time

T0 = time.perf_counter()
import torch

SENTENCE = 'A first pinning does not wait for the GPU / pinning into a cached block does not wait either / giving pinned memory back waits'


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


def main():
    torch.cuda.init()
    side = torch.cuda.Stream()
    torch.cuda._sleep(1000)
    with torch.cuda.stream(side):
        torch.cuda._sleep(1000)
    torch.cuda.synchronize()
    hold = cycles_of(0.1)
    refuted, numbers = [], []
    small = torch.ones(2**20, dtype=torch.uint8, pin_memory=True)
    for size in (4096, 64 * 2**20):
        x = torch.ones(size, dtype=torch.uint8)
        for stream_name, stream in (("default", torch.cuda.default_stream()), ("side", side)):
            for case in ("first", "first_in_thread", "first_beside_copies", "cached", "emptying"):
                returned, frees = [], []
                for _ in range(2):
                    torch.cuda.synchronize()
                    empty_host_cache()
                    if case in ("cached", "emptying"):
                        x.pin_memory()
                    flying = small.clone().pin_memory() if case == "first_beside_copies" else None
                    torch.cuda.synchronize()
                    with torch.cuda.stream(stream):
                        torch.cuda._sleep(hold)
                        if flying is not None:
                            flying.to("cuda", non_blocking=True)
                            del flying
                    end = torch.cuda.Event()
                    end.record(stream)
                    freed = torch.cuda.host_memory_stats()["num_host_free"]
                    if case == "emptying":
                        empty_host_cache()
                    elif case == "first_in_thread":
                        thread = threading.Thread(target=lambda: x.pin_memory())
                        thread.start()
                        thread.join()
                    else:
                        x.pin_memory()
                    returned.append(not end.query())
                    frees.append(torch.cuda.host_memory_stats()["num_host_free"] - freed)
                row = {"size": size, "busy": stream_name, "case": case, "returned_early": sum(returned), "freed": frees}
                out(**row)
                numbers.append(row)
                if case != "emptying" and not any(returned):
                    refuted.append(row)
                if case == "emptying" and all(frees) and all(returned):
                    refuted.append(row)
                if time.perf_counter() - T0 > 9:
                    return bool(refuted), {"refuting": refuted, "all": numbers, "cut": True}
    return bool(refuted), {"refuting": refuted, "all": numbers}


try:
    finish(*main())
except Exception as error:
    import traceback
    out(error=traceback.format_exc()[-1500:])
    finish(False, {"error": repr(error)})
