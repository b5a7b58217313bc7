"""
Many held streams hold up the rest
==================================

Does a stream go on whatever the others do? Not if many of them are held with kernels queued
behind: the host hands its work to the GPU over a limited number of connections, and streams that
share one wait for each other. Even the default stream then waits.
"""

import time

import torch

# %%
# PyTorch deals out 32 streams of each priority. The first ones are held by a kernel that only
# sleeps, with further kernels queued behind it, and every other stream gets one small kernel.
# (``_sleep`` is private to PyTorch.)

HOLD, BACKLOG, TRIES = 500_000_000, 50, 3  # cycles: more than a quarter of a second
default = torch.cuda.default_stream()
x = torch.zeros(129, 1024, device="cuda").unbind()


def streams_of(priority):
    return [torch.cuda.Stream(priority=priority) for _ in range(32)]


def wait_beside(streams, held):
    for values in x:  # loads the kernel, which would wait for the held streams
        values.add_(1)
    torch.cuda.synchronize()
    for stream, values in zip(streams[:held], x):
        with torch.cuda.stream(stream):
            torch.cuda._sleep(HOLD)
            for _ in range(BACKLOG):
                values.add_(1)
    events = []
    for stream, values in zip([default, *streams[held:]], x[held:]):
        with torch.cuda.stream(stream):
            values.add_(1)
        events.append(stream.record_event())
    time.sleep(0.02)
    waited = [not event.query() for event in events]
    if streams[0].query():
        raise RuntimeError("the hold was too short")
    torch.cuda.synchronize()
    return waited[0], sum(waited[1:])


# %%
# How many of the others have not run their kernel, and has the default stream? What varies from
# try to try is given as samples.


def row_of(streams, held):
    wait_beside(streams, held)  # not counted: the first launch of a kernel waits
    tries = [wait_beside(streams, held) for _ in range(TRIES)]
    others = len(streams) - held
    row = {"case": f"{held} of {len(streams)}"}
    row["default_waited_share"] = {"samples": [float(alone) for alone, _ in tries]}
    row["others_waited_share"] = {"samples": [count / others for _, count in tries]}
    print(row)
    return row


streams = streams_of(0)
rows = [row_of(streams, held) for held in (1, 31)]
for priority in (-1, -2, -3):
    streams += streams_of(priority)
rows += [row_of(streams, held) for held in (1, 8, 31, 63)]

# %%
# A row for each number of streams that were made and that were held.

measured = {"kernels_behind": BACKLOG, "by_case": {"table": rows}}
