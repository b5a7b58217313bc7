"""wrong_bytes.md, line 137.
Sentence: Where neither has work, there is nothing to gain, and the events cost: reading late is then slower than a blocking copy.
Attack: The same ways with results of 4 KiB (as measured) up to 64 MiB, no sleeping kernel and no work of the host.
Expect: Refuted from a few hundred KiB on: `.cpu()` goes to new pageable memory, the late copy to a pinned block that is used again.
Refuted if: for some size of the result the late way is at least 1.2 times as fast as the blocking copy (median of 5), with all results right
"""
import json, time
import torch

SENTENCE = 'Where neither has work, there is nothing to gain, and the events cost: reading late is then slower than a blocking copy.'


def show(**row):
    print(json.dumps(row, default=str), flush=True)

from statistics import median


def one_batch_late(results):
    waiting = []
    for result in results:
        host = result.to("cpu", non_blocking=True)
        waiting.append((host, torch.cuda.current_stream().record_event()))
        if len(waiting) > 1:
            host, copied = waiting.pop(0)
            copied.synchronize()
            yield host
    for host, copied in waiting:
        copied.synchronize()
        yield host


def blocking(results):
    for result in results:
        yield result.cpu()


def at_once(results):
    for result in results:
        host = result.to("cpu", non_blocking=True)
        torch.cuda.current_stream().record_event().synchronize()
        yield host


def main():
    rows, hit = [], False
    for count in (2**10, 2**14, 2**16, 2**18, 2**20, 2**22, 2**24):
        def run(way):
            torch.cuda.synchronize()
            begin, right = time.perf_counter(), 0
            for step, host in enumerate(way(torch.full((count,), float(s), device="cuda") for s in range(10))):
                right += host[-1].item() == step
            return time.perf_counter() - begin, right

        ways = (one_batch_late, blocking, at_once)
        for way in ways:
            run(way), run(way)
        rounds = [[run(way) for way in ways] for _ in range(5)]
        ratio = lambda k: round(median(r[k][0] / r[0][0] for r in rounds), 3)
        row = {"bytes": 4 * count, "late_over_blocking": ratio(1), "late_over_at_once": ratio(2), "late_right_of_50": sum(r[0][1] for r in rounds)}
        show(**row)
        rows.append(row)
        hit |= row["late_over_blocking"] >= 1.2 and row["late_right_of_50"] == 50
    return hit, rows


try:
    refuted, numbers = main()
except Exception as error:
    import traceback
    traceback.print_exc()
    refuted, numbers = False, {"error": repr(error)[:300]}
print(json.dumps({"verdict": "refuted" if refuted else "not refuted", "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
