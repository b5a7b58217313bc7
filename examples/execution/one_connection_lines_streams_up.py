"""
One connection lines streams up
===============================

Can a stream wait for another that nobody named? Yes: the host hands its work to the GPU over a
few connections, and ``CUDA_DEVICE_MAX_CONNECTIONS=1``, which some libraries ask for, leaves one.
If one stream then has work queued behind a long kernel, all others wait for it.
"""

# sphinx_gallery_evidence = {"timeout": 60}

import json
import os
import subprocess
import sys

import torch

print(os.environ.get("CUDA_DEVICE_MAX_CONNECTIONS", "the default"), torch.cuda.Stream())

# %%
# CUDA reads the variable once, so each value gets a process of its own. There, one stream is held
# by a kernel that only sleeps, with further kernels queued behind it, and every other stream gets
# one small kernel. How many of these are done while the first stream is still held? (``_sleep`` is
# private to PyTorch.)

STREAMS, TRIES, FEW, MANY = 32, 5, 1, 300
PROGRAM = """
import json, time, torch
STREAMS, TRIES, FEW, MANY = map(int, input().split())
streams = [torch.cuda.Stream() for _ in range(STREAMS)]
x = [torch.zeros(1024, device="cuda") for _ in streams]
x[0].add_(1)  # the first launch of a kernel waits


def done_beside(backlog):
    torch.cuda.synchronize()
    with torch.cuda.stream(streams[0]):
        torch.cuda._sleep(100_000_000)
        for _ in range(backlog):
            x[0].add_(1)
    events = []
    for stream, values in zip(streams[1:], x[1:]):
        with torch.cuda.stream(stream):
            values.add_(1)
        events.append(stream.record_event())
    time.sleep(0.01)
    done = sum(event.query() for event in events)
    assert not streams[0].query(), "the hold was too short"
    return done


found = {name: [done_beside(count) for _ in range(TRIES)]
         for name, count in {"none": 0, "few": FEW, "many": MANY}.items()}
print(json.dumps(found))
"""


def ask(connections):
    environment = {**os.environ, "CUDA_DEVICE_MAX_CONNECTIONS": connections}
    if not connections:
        del environment["CUDA_DEVICE_MAX_CONNECTIONS"]
    command, said = [sys.executable, "-c", PROGRAM], f"{STREAMS} {TRIES} {FEW} {MANY}"
    options = {"env": environment, "input": said, "text": True}
    return json.loads(subprocess.check_output(command, **options))


# %%
# The smallest number of streams that went on, and the largest, of all tries.

rows = []
for name, connections in {"default": "", "one": "1"}.items():
    for backlog, done in ask(connections).items():
        row = {"case": f"{name}, {backlog}", "fewest": min(done), "most": max(done)}
        rows.append(row)
        print(row)

measured = {
    "others": STREAMS - 1,
    "tries": TRIES,
    "few": FEW,
    "many": MANY,
    "by_case": {"table": rows},
}
