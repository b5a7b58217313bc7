"""Where does x.cpu() stop getting its old memory back, and is it the C library's doing?

Expect: dropped results up to 31 MiB fast (> 8 GB/s), from 33 MiB on slow (< 2 GB/s): glibc's DEFAULT_MMAP_THRESHOLD_MAX.
After mallopt(M_MMAP_MAX, 0) and mallopt(M_TRIM_THRESHOLD, -1) 64 MiB are fast as well, from the second result on.
Refutes "the memory of larger results goes back to the operating system": mallopt changes nothing.
"""

import ctypes
import json
import time
from statistics import median

import torch

try:
    on_gpu = torch.ones(80 * 2**20, dtype=torch.uint8, device="cuda")

    def seconds(size):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        result = on_gpu[:size].cpu()
        return time.perf_counter() - begin, result

    def dropping(size, rounds=6):
        return [seconds(size)[0] for _ in range(rounds)]

    def keeping(size, rounds=4):
        return [taken for taken, _ in [seconds(size) for _ in range(rounds)]]

    until = time.perf_counter() + 0.3
    while time.perf_counter() < until:
        dropping(2**20)

    def show(label, sizes):
        for mib in sizes:
            size = int(mib * 2**20)
            d, k = dropping(size), keeping(size)
            print(
                json.dumps(
                    {
                        "when": label,
                        "MiB": mib,
                        "dropped_GBps": [round(size / t / 1e9, 2) for t in d],
                        "kept_GBps": [round(size / t / 1e9, 2) for t in k],
                    }
                ),
                flush=True,
            )

    show("default", (1, 4, 8, 16, 24, 30, 31, 31.9, 32, 33, 40, 64))
    show("default, again, descending", (64, 33, 31, 16))
    libc = ctypes.CDLL(None)
    print(json.dumps({"mallopt": [libc.mallopt(-4, 0), libc.mallopt(-1, -1)]}))
    show("never map, never trim", (16, 33, 64))
    print(
        json.dumps(
            {"thp": open("/sys/kernel/mm/transparent_hugepage/enabled").read().strip()}
        )
    )
except Exception as error:
    print(json.dumps({"error": repr(error)}))
