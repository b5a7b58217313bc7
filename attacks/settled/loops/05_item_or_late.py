"""Is "reading late costs 1.6 times where launching takes longer" a property of the loop, or of its four kernels per step?

Expect: a fixed price per step (late about 2.5 launches, item about 1), so that with 40 kernels a step the slowdown is ~1.06.
Refutes the page's wording "1.6 times" as a rule; supports "as many launches as ...". Also: late without an event, late with a
list of pinned scalars, order of ways reversed, sum on the GPU (one more kernel per step), and stack at the end.
"""

import json
import time
from statistics import median

import torch

try:
    slots = torch.zeros(2, pin_memory=True)
    arrived = [torch.cuda.Event() for _ in range(2)]
    views = [slots[0], slots[1]]

    def losses(width, steps, products, host_s):
        weight = state = start[width]
        for _ in range(steps):
            until = time.perf_counter() + host_s
            while time.perf_counter() < until:
                pass
            for _ in range(products):
                state = torch.tanh(state @ weight)
            yield state.square().mean()

    def nothing(ls):
        return len([None for _ in ls])

    def item(ls):
        return [x.item() for x in ls]

    def summed(ls):
        return sum(ls).item()

    def stacked(ls):
        return torch.stack(list(ls)).tolist()

    def late(ls):
        values = []
        for step, loss in enumerate(ls):
            slots[step % 2].copy_(loss, non_blocking=True)
            arrived[step % 2].record()
            if step:
                arrived[1 - step % 2].synchronize()
                values.append(slots[1 - step % 2].item())
        arrived[step % 2].synchronize()
        return [*values, slots[step % 2].item()]

    def late_lean(ls):
        values = []
        for step, loss in enumerate(ls):
            turn = step % 2
            views[turn].copy_(loss, non_blocking=True)
            arrived[turn].record()
            if step:
                arrived[1 - turn].synchronize()
                values.append(float(views[1 - turn]))
        return values

    def late_copy_only(ls):
        for step, loss in enumerate(ls):
            slots[step % 2].copy_(loss, non_blocking=True)

    WAYS = (nothing, item, summed, stacked, late, late_lean, late_copy_only)
    start = {n: torch.ones(n, n, device="cuda") / n for n in (128, 1024, 2048)}

    def seconds(way, *loop):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        way(losses(*loop))
        torch.cuda.synchronize()
        return (time.perf_counter() - begin) / loop[1]

    LOOPS = [
        (128, 40, 1, 0),
        (128, 40, 4, 0),
        (128, 20, 20, 0),
        (128, 40, 1, 200e-6),
        (1024, 40, 1, 0),
        (2048, 40, 1, 0),
        (2048, 40, 1, 200e-6),
        (2048, 40, 1, 600e-6),
    ]
    until = time.perf_counter() + 0.5
    while time.perf_counter() < until:
        [seconds(way, *loop) for way in WAYS for loop in LOOPS]
    for loop in LOOPS:
        got = {w.__name__: [] for w in WAYS}
        for turn in range(6):
            for w in WAYS if turn % 2 else WAYS[::-1]:
                got[w.__name__].append(seconds(w, *loop))
        base = median(got["nothing"])
        kernels = 2 * loop[2] + 2
        print(
            json.dumps(
                {
                    "loop": loop,
                    "nothing_us": round(base * 1e6, 1),
                    "kernels": kernels,
                    "slowdown": {n: round(median(t) / base, 3) for n, t in got.items()},
                    "extra_us": {
                        n: round((median(t) - base) * 1e6, 1) for n, t in got.items()
                    },
                    "extra_launches": {
                        n: round((median(t) - base) / base * kernels, 2)
                        for n, t in got.items()
                    },
                }
            ),
            flush=True,
        )
except Exception as error:
    print(json.dumps({"error": repr(error)}))
