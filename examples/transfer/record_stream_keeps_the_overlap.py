"""
``record_stream`` keeps the overlap
===================================

``record_stream`` or waiting: which of the two fixes for reused memory? With
``record_stream`` the next copy gets other memory and runs beside the work. A stream
that waits gets the same memory, and copies when the work is over.
"""

import torch

# %%
# Events note when the GPU begins and ends each step, in whichever stream it runs.

COUNT, ROUNDS = 2**22, 6  # floats: 16 MiB
HOLD, WORK = 1_000_000, 1_000_000  # cycles: about half a millisecond
here, side = torch.cuda.current_stream(), torch.cuda.Stream()
host = torch.ones(COUNT, pin_memory=True)
marks = []


def mark(stream):
    marks.append(torch.cuda.Event(enable_timing=True))
    marks[-1].record(stream)


# %%
# As in a loop over batches: fetched in a side stream, used in the current one, dropped.


def fetch():
    with torch.cuda.stream(side):
        mark(side)
        batch = host.to("cuda", non_blocking=True)
        mark(side)
    here.wait_stream(side)
    return batch


def work():
    mark(here)
    torch.cuda._sleep(WORK)
    mark(here)


# %%
# The first batch is used while the second is fetched. Behind a held stream, so that all
# is queued when it begins, and no step waits for the host.


def two_batches(way):
    with torch.cuda.stream(side):
        torch.cuda._sleep(HOLD)
    batch = fetch()
    if way == "recorded":
        batch.record_stream(here)
    work()
    del batch
    if way == "waited":
        side.wait_stream(here)
    fetch()


# %%
# Milliseconds from the start of the first copy, for begin and end of copy, work and
# copy.


def timeline(way):
    marks.clear()
    torch.cuda.synchronize()
    two_batches(way)
    torch.cuda.synchronize()
    return [marks[0].elapsed_time(event) for event in marks]


WAYS = ("dropped", "recorded", "waited")
for way in WAYS:
    timeline(way)  # loads every kernel, and allocates
times = {way: [timeline(way) for _ in range(ROUNDS)] for way in WAYS}

# %%
# In how many rounds did the second copy begin before the work was over?

early, rows = {}, []
for way, rounds in times.items():
    early[way] = sum(begin < over for _, _, _, over, begin, _ in rounds)
    print(f"{way:>8}: {early[way]} of {ROUNDS} second copies began during the work")
    columns = [{"samples": [t / 1e3 for t in column]} for column in zip(*rounds)]
    for step, begin, end in zip(
        ("first", "work", "second"), columns[::2], columns[1::2]
    ):
        rows.append({"bar": f"{way}_{step}", "start_s": begin, "end_s": end})

# %%
# Counts of rounds, and seconds.

measured = {
    "rounds": ROUNDS,
    "early_recorded": early["recorded"],
    "early_waited": early["waited"],
    "timeline": {"table": rows},
}
