"""
Sentence (transfer/overlap.md:347): Two copies to the GPU, in two streams, take [about 100 %] of the time that they take one after the other: they share one direction of the link.

Attack: The script has one size, 128 MiB. Here sizes from 4 KiB to 128 MiB; many copies of each size, queued behind a held stream (so that the host's calls do not count), all in one stream or in turns in two, timed by events; and the script's own way, with the clock.

Expected: small copies are bound by the start of each copy, not by the link: two streams (two copy engines) take well below 90 %.

Refuted if: at some size the share is below 0.9, in the median of 5 rounds.
"""
import json
import time

import torch

SENTENCE = 'Two copies to the GPU, in two streams, take [about 100 %] of the time that they take one after the other: they share one direction of the link.'


def say(**row):
    print(json.dumps(row, default=str), flush=True)


from statistics import median


def attack():
    most = 128 * 2**20
    host = [torch.ones(most, dtype=torch.uint8, pin_memory=True) for _ in range(2)]
    gpu = [torch.ones(most, dtype=torch.uint8, device="cuda") for _ in range(2)]
    main = torch.cuda.current_stream()
    streams = [torch.cuda.Stream() for _ in range(2)]
    begin, end, gate = (torch.cuda.Event(enable_timing=True) for _ in range(3))

    def held(size, count, two):
        torch.cuda.synchronize()
        torch.cuda._sleep(20_000_000)
        begin.record()
        for s in streams:
            s.wait_event(begin)
        for i in range(count):
            which = i % 2
            with torch.cuda.stream(streams[which if two else 0]):
                gpu[which][:size].copy_(host[which][:size], non_blocking=True)
        behind = begin.query()
        for s in streams:
            main.wait_stream(s)
        end.record()
        torch.cuda.synchronize()
        return begin.elapsed_time(end) / 1e3, behind

    def clock(size, two):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for which in range(2):
            with torch.cuda.stream(streams[which if two else 0]):
                gpu[which][:size].copy_(host[which][:size], non_blocking=True)
            if not two:
                torch.cuda.synchronize()
        torch.cuda.synchronize()
        return time.perf_counter() - start

    shares, by_clock = {}, {}
    for size in (4096, 16384, 65536, 2**18, 2**20, 2**22, 2**24, most):
        count = 64 if size <= 2**20 else 8
        held(size, count, True), held(size, count, False), clock(size, True), clock(size, False)
        rounds = [(held(size, count, True), held(size, count, False)) for _ in range(5)]
        shares[size] = round(median(t[0] / o[0] for t, o in rounds), 3)
        by_clock[size] = round(median(clock(size, True) / clock(size, False) for _ in range(9)), 3)
        say(size=size, copies=count, held_share=shares[size], clock_share=by_clock[size], host_was_late=sum(t[1] + o[1] for t, o in rounds))
    return any(s < 0.9 for s in shares.values()), {"two_streams_over_one": shares, "by_clock_of_two_copies": by_clock}


if __name__ == "__main__":
    try:
        refuted, numbers = attack()
        verdict = "refuted" if refuted else "not refuted"
    except Exception as error:  # the attack failed: it decides nothing
        verdict, numbers = "not refuted", {"failed": f"{type(error).__name__}: {str(error)[:300]}"}
    print(json.dumps({"verdict": verdict, "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
