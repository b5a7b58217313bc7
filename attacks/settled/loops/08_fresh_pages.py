"""How much of x.cpu()'s slowness is the host's first touch, with other sizes, orders and thread counts?

Expect: about half (0.45-0.6) for 64 and 256 MiB with one host thread. With 16 threads the host's own touch is much faster, so the
share depends on the thread count: the page must then say "with one thread". Also: a fresh target that the host has touched once.
Refutes "first touch explains about half": outside 0.38..0.71 with one thread.
"""

import json
import time
from statistics import median

import torch

try:

    def seconds(work):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        result = work()
        torch.cuda.synchronize()
        return time.perf_counter() - begin, result

    def fill(m):
        return m.fill_(1)

    for threads in (1, 4, torch.get_num_threads()):
        torch.set_num_threads(threads)
        for mib in (48, 64, 256):
            size = mib * 2**20
            gpu = torch.ones(size, dtype=torch.uint8, device="cuda")
            touched = torch.zeros(size, dtype=torch.uint8)
            rows = []
            for turn in range(3 if mib < 256 else 2):

                def touch():
                    m = torch.empty(size, dtype=torch.uint8)
                    return [seconds(lambda: m.fill_(1))[0] for _ in range(2)], seconds(
                        lambda: m.copy_(gpu)
                    )[0]

                if turn % 2:
                    (a, b), c = touch()
                    fresh = seconds(gpu.cpu)[0]
                else:
                    fresh = seconds(gpu.cpu)[0]
                    (a, b), c = touch()
                old = seconds(lambda: touched.copy_(gpu))[0]
                rows.append((fresh, old, a, b, c))
            fresh, old, a, b, c = (median(x) for x in zip(*rows))
            print(
                json.dumps(
                    {
                        "threads": threads,
                        "MiB": mib,
                        "fresh_ms": round(fresh * 1e3, 2),
                        "touched_ms": round(old * 1e3, 2),
                        "first_touch_ms": round(a * 1e3, 2),
                        "second_ms": round(b * 1e3, 2),
                        "copy_into_touched_once_ms": round(c * 1e3, 2),
                        "explained": round((a - b) / (fresh - old), 3),
                    }
                ),
                flush=True,
            )
            del gpu, touched
except Exception as error:
    print(json.dumps({"error": repr(error)}))
