"""
DLPack waits for the stream it is given
=======================================

Is a tensor ready when it has come through DLPack? For the stream that the consumer names, if
the producer then makes that stream wait for its own. ``torch.from_dlpack`` names the current
stream; a capsule made without a stream waits for nothing.
"""

import torch
from torch.utils import dlpack

side = torch.cuda.Stream()
x = torch.ones(2**20, device="cuda")
capsule = x.__dlpack__(stream=side.cuda_stream)  # makes the side stream wait for this one
with torch.cuda.stream(side):
    y = torch.from_dlpack(capsule)  # the same memory
    total = y.sum()
torch.cuda.current_stream().wait_stream(side)
print(total.item())

# %%
# The current stream is held and then fills a tensor, and a side stream adds up what comes
# through DLPack. ``torch.cuda._sleep`` is private to PyTorch and may change.

TRIES, HOLD = 20, 20_000_000  # the second in cycles of the GPU's clock: some milliseconds
here = torch.cuda.current_stream()


def fill():
    torch.cuda._sleep(HOLD)
    x.fill_(1)


def capsule_for_the_stream():
    fill()
    capsule = x.__dlpack__(stream=side.cuda_stream)
    with torch.cuda.stream(side):
        return torch.from_dlpack(capsule).sum()


def capsule_without_a_stream():
    fill()
    capsule = dlpack.to_dlpack(x)
    with torch.cuda.stream(side):
        return torch.from_dlpack(capsule).sum()


def capsule_with_minus_one():
    fill()
    capsule = x.__dlpack__(stream=-1)
    with torch.cuda.stream(side):
        return torch.from_dlpack(capsule).sum()


def tensor_in_the_side_stream():
    fill()
    with torch.cuda.stream(side):
        return torch.from_dlpack(x).sum()


# %%
# Another library's array, which was filled in the library's own stream: when it is asked for
# a capsule, it makes the consumer's stream wait, as the standard demands. Or it does not.


class Array:
    def __init__(self, obeys):
        self.obeys, self.asked = obeys, None
        with torch.cuda.stream(side):
            fill()

    def __dlpack__(self, *, stream=None, **options):
        self.asked = stream
        if self.obeys:
            torch.cuda.default_stream().wait_stream(side)
        return x.__dlpack__(stream=-1, **options)

    def __dlpack_device__(self):
        return x.__dlpack_device__()


def array_that_waits():
    return torch.from_dlpack(Array(obeys=True)).sum()


def array_that_does_not():
    return torch.from_dlpack(Array(obeys=False)).sum()


# %%
# Is the sum wrong?


def is_wrong(way):
    x.zero_()
    torch.cuda.synchronize()
    total = way()
    torch.cuda.synchronize()
    return (total != x.numel()).item()


WAYS = capsule_for_the_stream, capsule_without_a_stream, capsule_with_minus_one
WAYS += tensor_in_the_side_stream, array_that_waits, array_that_does_not
for way in WAYS:
    is_wrong(way)  # not counted: the first launch of a kernel waits
table = []
for way in WAYS:
    table.append({"way": way.__name__, "wrong": sum(is_wrong(way) for _ in range(TRIES))})
    print(table[-1])

# %%
# Which stream does PyTorch name? And which does it refuse?

default_array, side_array = Array(obeys=True), Array(obeys=True)
torch.from_dlpack(default_array)
with torch.cuda.stream(side):
    torch.from_dlpack(side_array)
try:
    per_thread = x.__dlpack__(stream=2)
except BufferError as error:
    per_thread = error
print(default_array.asked, side_array.asked == side.cuda_stream, per_thread)

measured = {
    "tries": TRIES,
    "by_way": {"table": table},
    "asked_in_default": default_array.asked,
    "asked_in_side": side_array.asked == side.cuda_stream,
    "per_thread": per_thread,
}
