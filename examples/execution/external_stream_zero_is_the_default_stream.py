"""
``ExternalStream(0)`` is the default stream
===========================================

How do you wait for a library that works in CUDA's default stream? The address of that stream is 0.
Take it by name, with ``torch.cuda.default_stream()``, or, since PyTorch 2.14, by its address.
"""

import torch

# %%
# What a library gives as the address of its stream becomes a stream of PyTorch. The address 1
# means the default stream, too.


def stream_at(address):
    if address in (0, 1):
        return torch.cuda.default_stream()
    return torch.cuda.ExternalStream(address)


side = torch.cuda.Stream()
x = torch.ones(2**20, device="cuda")
side.wait_stream(stream_at(0))
with torch.cuda.stream(side):
    total = x.sum()
stream_at(0).wait_stream(side)
print(total.item())

# %%
# The default stream is held and then fills a tensor, as the library would, and a side stream waits
# for it by name, by its address, or not at all. ``torch.cuda._sleep`` is private to PyTorch.

TRIES, HOLD = 20, 20_000_000  # the second in cycles: some milliseconds
default = torch.cuda.default_stream()
wrappers = [torch.cuda.ExternalStream(default.cuda_stream) for _ in range(2)]


def fill():
    torch.cuda._sleep(HOLD)
    x.fill_(1)


def awaited_by_address():
    fill()
    side.wait_stream(torch.cuda.ExternalStream(0))
    with torch.cuda.stream(side):
        return x.sum()


def awaited_by_name():
    fill()
    side.wait_stream(stream_at(0))
    with torch.cuda.stream(side):
        return x.sum()


def used_by_address():
    fill()
    with torch.cuda.stream(wrappers[0]):
        return x.sum()


def used_by_name():
    fill()
    with torch.cuda.stream(stream_at(0)):
        return x.sum()


# %%
# In how many tries is the sum wrong?


def is_wrong(way):
    x.zero_()
    torch.cuda.synchronize()
    total = way()
    torch.cuda.synchronize()
    return (total != x.numel()).item()


WAYS = awaited_by_address, awaited_by_name, used_by_address, used_by_name
for way in WAYS:
    is_wrong(way)  # not counted: the first launch of a kernel waits
table = []
for way in WAYS:
    wrong = sum(is_wrong(way) for _ in range(TRIES))
    table.append({"way": way.__name__, "wrong": wrong})
    print(table[-1])

# %%
# Which stream is the wrapper of 0, and is it the same each time?

measured = {
    "tries": TRIES,
    "by_way": {"table": table},
    "address_of_the_default": default.cuda_stream,
    "address_is_kept": wrappers[0].cuda_stream == default.cuda_stream,
    "wrappers_equal": wrappers[0] == wrappers[1],
}
print(measured, wrappers)
