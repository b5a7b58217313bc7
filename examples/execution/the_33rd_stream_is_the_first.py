"""
The 33rd stream is the first
============================

How many streams can a program have? As many ``torch.cuda.Stream`` objects as it likes, but
they stand for only 32 streams of each priority. The 33rd object is the first stream again:
its work waits for the work of the first.
"""

import torch

streams = [torch.cuda.Stream() for _ in range(33)]
print("distinct streams:", len({stream.cuda_stream for stream in streams}))
print("the 33rd is the first:", streams[32] == streams[0])

# %%
# Hold the first stream, and queue a short kernel in each of the others. Which kernels are done
# while the first stream is still held? ``torch.cuda._sleep`` is private to PyTorch and may change.

HOLD, TRIES = 40_000_000, 10  # cycles of the GPU's clock: some tens of milliseconds
numbers = torch.zeros(33, device="cuda").unbind()


def attempt():
    torch.cuda.synchronize()
    with torch.cuda.stream(streams[0]):
        torch.cuda._sleep(HOLD)
    for stream, number in zip(streams[1:], numbers):
        with torch.cuda.stream(stream):
            number.add_(1)
    for stream in streams[1:32]:
        stream.synchronize()
    return not streams[32].query(), not streams[0].query()


attempt()  # not counted: the first launch of a kernel waits
waited, held = map(sum, zip(*(attempt() for _ in range(TRIES))))
print(
    f"the 33rd waited {waited} of {TRIES} times, and the other 31 did not {held} times"
)

# %%
# It does not help to delete streams: the next object gets the next of the 32 in turn, whichever
# are in use.

kept = torch.cuda.Stream()
for _ in range(31):
    del_me = torch.cuda.Stream()
    del del_me
turned_round = torch.cuda.Stream() == kept

# %%
# Each priority has its own streams. PyTorch replaces a priority that it does not have with the
# nearest one that it has.

least, greatest = kept.priority_range()
asked = {"lower": 5, "least": least, "greatest": greatest, "higher": -100}
urgent = [torch.cuda.Stream(priority=greatest) for _ in range(33)]
table = [
    {"asked": name, "given": torch.cuda.Stream(priority=priority).priority}
    for name, priority in asked.items()
]
shared = len({s.cuda_stream for s in urgent} & {s.cuda_stream for s in streams})
print(*table, sep="\n")

# %%
# Record the counts and the priorities: a lower number is a higher priority.

measured = {
    "distinct": len({stream.cuda_stream for stream in streams}),
    "is_the_first": streams[32] == streams[0],
    "tries": TRIES,
    "waited": waited,
    "others_did_not": held,
    "turned_round": turned_round,
    "distinct_urgent": len({stream.cuda_stream for stream in urgent}),
    "shared": shared > 0,
    "least": least,
    "greatest": greatest,
    "priorities": {"table": table},
}
