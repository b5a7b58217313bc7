"""
What each cure costs in time
============================

What do options against fragmentation cost? Tensors that are made from cached memory take about
as long with each option of PyTorch's allocator, and longer with the allocator of CUDA. Where the
options differ is the first time, when memory has to come from CUDA.
"""

# sphinx_gallery_evidence = {"processes": 6}
# sphinx_gallery_quiet = "host"
import json
import os
import statistics
import subprocess
import sys
import textwrap

# %%
# For each line that it gets, the program makes many tensors, first of an empty cache and then of a
# full one. The time is that of the host, with a wait for the GPU before and after.

PROGRAM = textwrap.dedent("""
    import json, os, sys, time, torch
    MIB, COUNT = 2**20, 32

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
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # one core for all of them
    for line in sys.stdin:
        torch.cuda.empty_cache()
        cold = seconds(fill, 1)
        print(json.dumps([cold, seconds(fill, 20)]), flush=True)
""")

# %%
# Each option needs a program of its own. They take turns, and every other round goes backwards; a
# program that waits for its line leaves GPU and host alone. All run on the same core, since cores
# may differ in speed. The first round is not counted.

WAYS = {
    "default": "",
    "expandable_segments": "expandable_segments:True",
    "max_split_size_mb": "max_split_size_mb:20",
    "roundup_power2": "roundup_power2_divisions:4",
    "cudaMallocAsync": "backend:cudaMallocAsync",
}
ROUNDS = 8


def start(options):
    environment = os.environ | {"PYTORCH_ALLOC_CONF": options}
    environment.pop("PYTORCH_CUDA_ALLOC_CONF", None)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-c", PROGRAM], env=environment, **pipes)


def times(program):
    program.stdin.write("\n")
    program.stdin.flush()
    return json.loads(program.stdout.readline())


programs = {way: start(options) for way, options in WAYS.items()}
found = {way: [] for way in WAYS}
for number in range(ROUNDS + 1):
    for way in [*WAYS][:: -1 if number % 2 else 1]:
        pair = times(programs[way])
        if number:
            found[way].append(pair)
for way, program in programs.items():
    program.communicate()
    cold, warm = map(statistics.median, zip(*found[way], strict=True))
    print(f"{way:>20}: {cold * 1e6:8.1f} us, then {warm * 1e6:.1f} us a tensor")

# %%
# What varies: times, and their ratio to the default's of the same round.


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
    "cold_over_warm_ratio": {
        "samples": [cold / warm for cold, warm in found["default"]]
    },
}
