"""
Sentence (execution/timing.md:521-522): In `synchronize()` of an event that was made with `blocking=True`, the thread sleeps: it needs less than a twentieth of a core.

Attack: The script waits 30 ms only. Here: waits of about 0.1, 0.5, 2, 10 and 100 ms, and an event that is reached already; CPU time of the thread as a share of the wait.

Expected: below about 2 ms the wake-up itself costs more than a twentieth (a dry run had 0.4 % of 50 ms = 0.2 ms).

Refuted if: the median share is 0.05 or more at some length of at least 0.5 ms.
"""
import json
import time

import torch

SENTENCE = 'In `synchronize()` of an event that was made with `blocking=True`, the thread sleeps: it needs less than a twentieth of a core.'


def say(**row):
    print(json.dumps(row, default=str), flush=True)


from statistics import median


def share(cycles):
    torch.cuda.synchronize()
    event = torch.cuda.Event(blocking=True)
    torch.cuda._sleep(cycles)
    event.record()
    begin, used, own = time.perf_counter(), time.process_time(), time.thread_time()
    event.synchronize()
    wall = time.perf_counter() - begin
    return (time.process_time() - used) / wall, (time.thread_time() - own) / wall, wall


def attack():
    share(1000), share(2_000_000)
    found = {}
    for cycles in (200_000, 1_000_000, 4_000_000, 20_000_000, 200_000_000):
        tries = [share(cycles) for _ in range(7 if cycles > 100_000_000 else 15)]
        whole, own, wall = (median(column) for column in zip(*tries))
        found[cycles] = (whole, own, wall)
        say(cycles=cycles, wall_ms=round(wall * 1e3, 3), process_share=round(whole, 4), thread_share=round(own, 4))
    above = {f"{wall * 1e3:.2f} ms": round(own, 3) for whole, own, wall in found.values() if wall >= 0.0004 and own >= 0.05}
    return bool(above), {"waits_above_a_twentieth": above}


if __name__ == "__main__":
    try:
        refuted, numbers = attack()
        verdict = "refuted" if refuted else "not refuted"
    except Exception as error:  # the attack failed: it decides nothing
        verdict, numbers = "not refuted", {"failed": f"{type(error).__name__}: {str(error)[:300]}"}
    print(json.dumps({"verdict": verdict, "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
