"""
``record_stream`` keeps the overlap
===================================

Which fix for reused memory is better, ``record_stream`` or waiting? With
``record_stream``, the next copy gets other memory and overlaps with the work. A stream
that waits gets the same memory, and copies only after the work.
"""

# sphinx_gallery_quiet = "host"
import torch

# %%
# Events record when the GPU begins and ends each step, in whichever stream it runs.

COUNT, ROUNDS = 2**22, 6  # floats: 16 MiB
HOLD, WORK = 1_000_000, 1_000_000  # cycles: about half a millisecond
here, side = torch.cuda.current_stream(), torch.cuda.Stream()
host = torch.ones(COUNT, pin_memory=True)
marks = []


def mark(stream):
    marks.append(torch.cuda.Event(enable_timing=True))
    marks[-1].record(stream)


# %%
# As in a loop over batches, fetch a batch in a side stream, use it in the current one,
# and drop it.


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
# The first batch is in use while the second is fetched. The side stream is held first,
# so that everything is queued when the first copy begins, and no step waits for the
# host.


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
# Return the begin and end of the first copy, the work and the second copy, in
# milliseconds since the start of the first copy.


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
# In how many rounds did the second copy begin before the work ended?

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
# The values are counts of rounds, and seconds.

measured = {
    "rounds": ROUNDS,
    "early_recorded": early["recorded"],
    "early_waited": early["waited"],
    "timeline": {"table": rows},
}
