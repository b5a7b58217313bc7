"""
What each cure costs in time
============================

What do options against fragmentation cost? Tensors that are made from cached memory take about
as long with each of them. Where the options differ is the first time, when memory has to come
from CUDA.
"""

# sphinx_gallery_evidence = {"timeout": 180}
import json
import os
import statistics
import subprocess
import sys
import textwrap

# %%
# The program makes many tensors, first of an empty cache and then of a full one. The time is
# that of the host, with a wait for the GPU before and after.

PROGRAM = textwrap.dedent("""
    import json, statistics, time, torch
    MIB, COUNT, ROUNDS = 2**20, 32, 5

    def fill():
        make = lambda: torch.empty(32 * MIB, dtype=torch.uint8, device="cuda")
        return [make() for _ in range(COUNT)]

    def seconds(work, times):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for _ in range(times):
            work()
        torch.cuda.synchronize()
        return (time.perf_counter() - begin) / times / COUNT

    fill()
    cold, warm = [], []
    for _ in range(ROUNDS):
        torch.cuda.empty_cache()
        cold.append(seconds(fill, 1))
        warm.append(seconds(fill, 20))
    print(json.dumps([statistics.median(cold), statistics.median(warm)]))
""")

# %%
# One program at a time. The ways take turns, there and back, so that none is always the first.

WAYS = {
    "default": "",
    "expandable_segments": "expandable_segments:True",
    "max_split_size_mb": "max_split_size_mb:20",
    "roundup_power2": "roundup_power2_divisions:4",
    "cudaMallocAsync": "backend:cudaMallocAsync",
}


def times(options):
    environment = os.environ | {"PYTORCH_ALLOC_CONF": options}
    environment.pop("PYTORCH_CUDA_ALLOC_CONF", None)
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


found = {way: [] for way in WAYS}
for order in (list(WAYS), list(reversed(WAYS))):
    for way in order:
        found[way].append(times(WAYS[way]))
for way, pairs in found.items():
    print(f"{way:>20}: {pairs}")

# %%
# What varies: times, and their ratio to the default's of the same turn.


def ratios(way, which):
    pairs = zip(found[way], found["default"], strict=True)
    return {"samples": [mine[which] / default[which] for mine, default in pairs]}


measured = {
    "by_way": {
        "table": [
            {"way": way, "cold_ratio": ratios(way, 0), "warm_ratio": ratios(way, 1)}
            for way in WAYS
            if way != "default"
        ]
    },
    "cold_s": {"samples": [cold for cold, _ in found["default"]]},
    "warm_s": {"samples": [warm for _, warm in found["default"]]},
    "cold_over_warm": {"samples": [cold / warm for cold, warm in found["default"]]},
}
print(statistics.median(measured["cold_over_warm"]["samples"]))
