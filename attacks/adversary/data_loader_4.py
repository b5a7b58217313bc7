"""
data_loader_4: docs/transfer/data_loader.md:409-410 (measured: a sum in the forward, 1 MiB, all of one size)

Sentence: The second wait takes the place of record_stream; it is enough as long as the batches are used in the stream that the loop began in.
Attack: steps held at random (also in the steady state), batches whose sizes differ, batches dropped in the step as soon as they are used, backward through the batch, two of these loops nested, batches kept until after the loop, a loop that is left early and begun again; and a name in the step that allocates memory of the same size
Expectation: right in all cases: the batch's memory belongs to the side stream and is given out again only behind the wait
Refuted if: any sum or gradient is wrong in any case
"""
import json
import os
import time

T0 = time.perf_counter()
import warnings

warnings.simplefilter('ignore')
import torch

SENTENCE = 'The second wait takes the place of record_stream; it is enough as long as the batches are used in the stream that the loop began in.'


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

import random
from itertools import chain


def prefetched(loader):
    main, side, ahead = torch.cuda.current_stream(), torch.cuda.Stream(), []
    for batch in chain(loader, [()]):
        main.wait_stream(side)
        side.wait_stream(main)
        with torch.cuda.stream(side):
            ready, ahead = ahead, [x.to("cuda", non_blocking=True) for x in batch]
        if ready:
            yield ready


def main():
    random.seed(0)
    torch.cuda.synchronize()
    hold = cycles_of(0.004)
    counter = [0]

    def loader(sizes):
        for size in sizes:
            counter[0] = counter[0] % 97 + 1
            yield [torch.full((size,), float(counter[0])).pin_memory(), torch.tensor([float(counter[0])])]

    def step(batch, mode):
        x, want = batch
        if random.random() < 0.6:
            torch.cuda._sleep(hold)
        if mode == "backward":
            w = torch.ones_like(x).requires_grad_()
            loss = (w * x).sum()
            batch.clear()
            del x
            if random.random() < 0.5:
                torch.cuda._sleep(hold)
            loss.backward()
            return (w.grad.mean() == want).all()
        if mode == "dropped":
            mean = x.mean()
            size = x.numel()
            batch.clear()
            del x
            torch.full((size,), -1.0, device="cuda")
            return (mean == want).all()
        return (x.mean() == want).all()

    numbers = {}
    for mode in ("plain", "dropped", "backward", "nested", "kept", "left"):
        flags = []
        for attempt in range(8):
            sizes = [2**random.randint(16, 20) for _ in range(10)]
            if mode == "kept":
                got = list(prefetched(loader(sizes)))
                flags += [(x.mean() == want).all() for x, want in got]
            elif mode == "left":
                for number, batch in enumerate(prefetched(loader(sizes))):
                    flags.append(step(batch, "plain"))
                    if number == 3:
                        break
            else:
                for batch in prefetched(loader(sizes)):
                    if mode == "nested":
                        for inner in prefetched(loader(sizes[:3])):
                            flags.append(step(inner, "dropped"))
                        flags.append(step(batch, "plain"))
                    else:
                        flags.append(step(batch, mode))
            if time.perf_counter() - T0 > 9:
                break
        numbers[mode] = {"batches": len(flags), "wrong": sum(not bool(f) for f in flags)}
        out(mode=mode, **numbers[mode])
    return any(v["wrong"] for v in numbers.values()), numbers


try:
    finish(*main())
except Exception as error:
    import traceback
    out(error=traceback.format_exc()[-1500:])
    finish(False, {"error": repr(error)})
