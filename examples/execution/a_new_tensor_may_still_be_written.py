"""
A new tensor may still be written
=================================

May a stream fill a new tensor at once? No: the tensor may have the memory of a temporary, such as
``x * 3`` in ``(x * 3).sum()``, that another stream has yet to write. That write then lands in the
new tensor, after it was filled. Let the filling stream wait for the stream that made the tensor.
"""

import torch

side = torch.cuda.Stream()
x = torch.ones(1000, 1000, device="cuda")
total = (x * 3).sum()  # x * 3 is deleted here, and perhaps still to be written
new = torch.empty_like(x)  # perhaps in its memory
side.wait_stream(torch.cuda.current_stream())  # so this line is needed
with torch.cuda.stream(side):
    new.fill_(2)
torch.cuda.current_stream().wait_stream(side)
print(new.mean().item(), total.item())

# %%
# The current stream has yet to write and to sum a temporary when that is deleted. Both come late,
# behind a kernel that only sleeps. (``_sleep`` is private to PyTorch and may change.)

COUNT, TRIES = 2**22, 20  # floats: 16 MiB, which get a block of their own
HOLD = 20_000_000  # cycles of the GPU's clock: some milliseconds
here, x = torch.cuda.current_stream(), torch.ones(COUNT, device="cuda")


def add_up_a_temporary():
    torch.cuda._sleep(HOLD)
    tripled = x * 3
    return tripled.sum(), tripled.data_ptr()


# %%
# Then the side stream fills a new tensor: without waiting, after waiting, after making the tensor
# itself, or without waiting but recorded.


def fill_at_once():
    new = torch.empty(COUNT, device="cuda")
    with torch.cuda.stream(side):
        new.fill_(2)
    return new


def fill_after_waiting():
    new = torch.empty(COUNT, device="cuda")
    side.wait_stream(here)
    with torch.cuda.stream(side):
        new.fill_(2)
    return new


def made_in_the_stream():
    with torch.cuda.stream(side):
        new = torch.empty(COUNT, device="cuda")
        new.fill_(2)
    return new


def recorded_only():
    new = torch.empty(COUNT, device="cuda")
    with torch.cuda.stream(side):
        new.fill_(2)
        new.record_stream(side)
    return new


# %%
# Is the new tensor where the temporary was? Does it hold what it was filled with, or the values of
# the temporary? And is the sum right?


def attempt(way):
    torch.cuda.synchronize()
    total, address = add_up_a_temporary()
    new = way()
    reused = new.data_ptr() == address
    torch.cuda.synchronize()
    filled, holds_old = ((new == value).all().item() for value in (2, 3))
    return reused, filled, holds_old, (total == 3 * COUNT).item()


WAYS = fill_at_once, fill_after_waiting, made_in_the_stream, recorded_only
for way in WAYS:
    attempt(way)  # not counted: loads the kernels, and fills the cache of each stream
table = []
for way in WAYS:
    counts = map(sum, zip(*(attempt(way) for _ in range(TRIES))))
    names = "reused", "filled", "holds_old", "sum_right"
    table.append({"way": way.__name__} | dict(zip(names, counts)))
    print(table[-1])

measured = {"tries": TRIES, "by_way": {"table": table}}
