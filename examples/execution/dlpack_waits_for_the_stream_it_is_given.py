"""
DLPack waits for the stream it is given
=======================================

Is a tensor ready when it has come through DLPack? The tensor is ready for the stream that the
consumer names, if the producer makes that stream wait. ``torch.from_dlpack`` names the current
stream; a capsule made without a stream waits for nothing.
"""

import torch

side = torch.cuda.Stream()
x = torch.ones(2**20, device="cuda")
capsule = x.__dlpack__(stream=side.cuda_stream)  # side waits for this stream
with torch.cuda.stream(side):
    y = torch.from_dlpack(capsule)  # the same memory
    total = y.sum()
torch.cuda.current_stream().wait_stream(side)
print(total.item())

# %%
# The current stream is held and then fills a tensor, and a side stream sums what comes through
# DLPack. ``torch.cuda._sleep`` is private to PyTorch.

TRIES, HOLD = 20, 20_000_000  # the second in cycles: some milliseconds
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
    capsule = x.__dlpack__()
    with torch.cuda.stream(side):
        return torch.from_dlpack(capsule).sum()


def tensor_in_the_side_stream():
    fill()
    with torch.cuda.stream(side):
        return torch.from_dlpack(x).sum()


# %%
# Another library filled an array in its own stream. When the library is asked for a capsule, it
# makes the consumer's stream wait, as the standard demands, or it ignores that stream.


class Array:
    """Filled in the side stream, and used in the default one."""

    def __init__(self, obeys):
        self.obeys, self.asked = obeys, None
        with torch.cuda.stream(side):
            fill()

    def __dlpack__(self, *, stream=None, **options):
        self.asked = stream
        if self.obeys:
            here.wait_stream(side)
        return x.__dlpack__(stream=-1, **options)

    def __dlpack_device__(self):
        return x.__dlpack_device__()


# %%
# In how many tries is the sum wrong?


def is_wrong(way):
    x.zero_()
    torch.cuda.synchronize()
    total = way()
    torch.cuda.synchronize()
    return (total != x.numel()).item()


WAYS = capsule_for_the_stream, capsule_without_a_stream, tensor_in_the_side_stream
ways = {way.__name__: way for way in WAYS}
ways["waiting_array"] = lambda: torch.from_dlpack(Array(obeys=True)).sum()
ways["other_array"] = lambda: torch.from_dlpack(Array(obeys=False)).sum()
for way in ways.values():
    is_wrong(way)  # not counted: the first launch of a kernel waits
table = []
for name, way in ways.items():
    table.append({"way": name, "wrong": sum(is_wrong(way) for _ in range(TRIES))})
    print(table[-1])

# %%
# Which stream does PyTorch name? And which does it refuse?

arrays = Array(obeys=True), Array(obeys=True)
torch.from_dlpack(arrays[0])
with torch.cuda.stream(side):
    torch.from_dlpack(arrays[1])
asked, asked_in_side = (one.asked for one in arrays)
measured = {"asked_in_side": asked_in_side == side.cuda_stream}
measured |= {"tries": TRIES, "by_way": {"table": table}, "asked_in_default": asked}
try:
    x.__dlpack__(stream=2)
except BufferError as error:
    measured["per_thread"] = error
print(measured)
