"""
``from_dlpack`` readies one stream
==================================

May you use a tensor that came through DLPack in any stream? It is ready in the stream that was
current when you called ``torch.from_dlpack``, and in no other: another stream must wait for that
one, or be current at the call.
"""

import torch

# %%
# A library fills an array in its own stream, late, and makes the stream that is named wait for
# that, as the standard demands: 1 names the default stream. (``_sleep`` is private to PyTorch.)

TRIES, HOLD = 20, 20_000_000  # the second in cycles: some milliseconds
own, side, other = (torch.cuda.Stream() for _ in range(3))
default = torch.cuda.default_stream()
x = torch.zeros(2**20, device="cuda")


def fill():
    torch.cuda._sleep(HOLD)
    x.fill_(1)


class Array:
    def __init__(self):
        with torch.cuda.stream(own):
            fill()

    def __dlpack__(self, *, stream=None, **options):
        named = default if stream == 1 else torch.cuda.ExternalStream(stream)
        named.wait_stream(own)
        return x.__dlpack__(stream=-1, **options)

    def __dlpack_device__(self):
        return x.__dlpack_device__()


# %%
# The tensor is used in the stream that was current at the call, or in another.


def used_where_it_came(array, here, _reader):
    with torch.cuda.stream(here):
        y = torch.from_dlpack(array)
        return y.sum()


def used_elsewhere(array, here, reader):
    with torch.cuda.stream(here):
        y = torch.from_dlpack(array)
    with torch.cuda.stream(reader):
        return y.sum()


def used_elsewhere_after_waiting(array, here, reader):
    with torch.cuda.stream(here):
        y = torch.from_dlpack(array)
    reader.wait_stream(here)
    with torch.cuda.stream(reader):
        return y.sum()


# %%
# If you make a capsule of PyTorch's own tensor for the default stream, name that stream 1, too.


def capsule_for_the_default_stream(_array, writer, _reader):
    with torch.cuda.stream(writer):
        fill()
        capsule = x.__dlpack__(stream=1)
    with torch.cuda.stream(default):
        return torch.from_dlpack(capsule).sum()


# %%
# In how many tries is the sum wrong? Each way gets three pairs of streams.


def is_wrong(way, pair):
    x.zero_()
    torch.cuda.synchronize()
    total = way(Array(), *pair)
    torch.cuda.synchronize()
    return (total != x.numel()).item()


PAIRS = (default, side), (side, default), (side, other)
WAYS = used_where_it_came, used_elsewhere, used_elsewhere_after_waiting
table = []
for way in (*WAYS, capsule_for_the_default_stream):
    for pair in PAIRS:
        is_wrong(way, pair)  # not counted: the first launch of a kernel waits
    wrong = [sum(is_wrong(way, pair) for _ in range(TRIES)) for pair in PAIRS]
    table.append({"way": way.__name__, "fewest": min(wrong), "most": max(wrong)})
    print(table[-1])

# %%
# PyTorch refuses the address of the default stream.

measured = {"tries": TRIES, "by_way": {"table": table}}
try:
    x.__dlpack__(stream=default.cuda_stream)
except Exception as error:
    measured["address_of_the_default"] = error
print(measured)
