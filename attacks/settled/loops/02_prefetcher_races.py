"""Are both waits needed, and is the prefetcher right with both?

Expect: without "arrival" (main waits for side) wrong in all tries when the copies are held; without "reuse" (side waits
for main) wrong in all tries when the work is held; with both 0 wrong, whatever is held. Also record_stream in place of
"reuse": 0 wrong. Refutes the page: any wrong with both waits; any of the two not needed.
Also tries: a consumer that keeps every batch, one that breaks early, one that uses del, autograd keeping x.
"""

import json
import time
from itertools import chain

import torch

COUNT, BATCHES, TRIES = 2**20, 8, 10


def prefetched(loader, without=None):
    main, side, ahead = torch.cuda.current_stream(), torch.cuda.Stream(), []
    global last_side
    last_side = side
    for batch in chain(loader, [()]):
        if without != "arrival":
            main.wait_stream(side)
        if without not in ("reuse", "record"):
            side.wait_stream(main)
        with torch.cuda.stream(side):
            if held == "copies" and not ahead:
                torch.cuda._sleep(cycles)
            ready, ahead = ahead, [x.to("cuda", non_blocking=True) for x in batch]
        if without == "record":
            for x in ready:
                x.record_stream(main)
        if ready:
            yield ready


try:
    source = [[torch.full((COUNT,), float(i + 1)).pin_memory()] for i in range(BATCHES)]
    torch.cuda._sleep(1000)
    torch.cuda.synchronize()
    begin = time.perf_counter()
    torch.cuda._sleep(20_000_000)
    torch.cuda.synchronize()
    cycles = int(20_000_000 * 0.01 / (time.perf_counter() - begin))

    def once(without, keep):
        torch.cuda.synchronize()
        global tries
        tries += 1  # other numbers in every try: what an earlier one left in memory is never right
        for i, (x,) in enumerate(source):
            x.fill_(tries % 7 * BATCHES + i + 1.0)
        right = [COUNT * (tries % 7 * BATCHES + i + 1.0) for i in range(BATCHES)]
        sums, kept = [], []
        for (x,) in prefetched(source, without):
            if held == "work" and not sums:
                torch.cuda._sleep(cycles)
            sums.append(x.sum())
            if keep:
                kept.append(x)
        if keep:
            sums = [x.sum() for x in kept]
        return [float(s) for s in sums] != right

    held, tries = None, 0
    once(None, False)
    for without in (None, "arrival", "reuse", "record"):
        for h in (None, "copies", "work"):
            for keep in (False, True):
                held = h
                print(
                    json.dumps(
                        {
                            "without": without,
                            "held": h,
                            "keep": keep,
                            "wrong": sum(once(without, keep) for _ in range(TRIES)),
                            "of": TRIES,
                        }
                    ),
                    flush=True,
                )
    held = None
    for i, (x,) in enumerate(source):
        x.fill_(i + 1.0)
    w = torch.ones(COUNT, device="cuda", requires_grad=True)
    wrong = 0
    for _ in range(TRIES):  # autograd keeps x until backward; grads are known
        w.grad = None
        for (x,) in prefetched(source):
            torch.cuda._sleep(cycles // 8)
            (w * x).sum().backward()
        wrong += float(w.grad[0]) != sum(range(1, BATCHES + 1))
    print(json.dumps({"autograd_wrong": wrong}))
    for (x,) in prefetched(source):
        break
    print(json.dumps({"after_break_right": once(None, False) is False}))
    print(
        json.dumps(
            {
                "empty": len(list(prefetched([]))),
                "one": [len(b) for b in prefetched(source[:1])],
            }
        )
    )
except Exception as error:
    print(json.dumps({"error": repr(error)}))
