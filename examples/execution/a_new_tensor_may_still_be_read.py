"""
A new tensor may still be read
==============================

Must a stream wait before it writes to a tensor that nothing has used yet? Yes: the tensor
may have the memory of a deleted tensor, and another stream may still have to read the deleted
tensor's values. A tensor that is made in the writing stream itself is safe.
"""

import torch

side = torch.cuda.Stream()
a = torch.empty(100, 100, device="cuda")  # new, but perhaps in used memory
side.wait_stream(torch.cuda.current_stream())  # so this line is needed
with torch.cuda.stream(side):
    a.normal_()
    a.record_stream(side)  # if it is deleted before the side stream is done
torch.cuda.current_stream().wait_stream(side)  # or the mean may come first
print(a.mean().item())

# %%
# The current stream still has to sum a tensor of ones when that tensor is deleted. The sum comes
# late, behind a kernel that only sleeps. ``torch.cuda._sleep`` is private to PyTorch.

COUNT, TRIES = 2**22, 20  # floats: 16 MiB, which get a block of their own
HOLD = 20_000_000  # cycles of the GPU's clock: some milliseconds
here = torch.cuda.current_stream()


def add_up_and_delete():
    old = torch.ones(COUNT, device="cuda")
    torch.cuda.synchronize()
    torch.cuda._sleep(HOLD)
    return old.sum(), old.data_ptr()


# %%
# Then the side stream fills a new tensor: without waiting, after waiting, or after making the
# tensor itself.


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


# %%
# ``record_stream`` is not a wait: it only delays the next use of the memory.


def recorded_only():
    new = torch.empty(COUNT, device="cuda")
    with torch.cuda.stream(side):
        new.fill_(2)
        new.record_stream(side)
    return new


# %%
# Was the sum of the ones wrong? Is the new tensor where the old one was? And is the tensor filled?


def attempt(way):
    torch.cuda.synchronize()
    total, address = add_up_and_delete()
    new = way()
    reused = new.data_ptr() == address
    torch.cuda.synchronize()
    return (total != COUNT).item(), reused, (new == 2).all().item()


WAYS = fill_at_once, fill_after_waiting, made_in_the_stream, recorded_only
for way in WAYS:
    attempt(way)  # not counted: loads the kernels, and fills the cache of each stream
table = []
for way in WAYS:
    wrong, reused, filled = map(sum, zip(*(attempt(way) for _ in range(TRIES))))
    row = {"way": way.__name__, "wrong": wrong, "reused": reused, "filled": filled}
    table.append(row)
    print(row)

# %%
# Record the counts of tries.

measured = {"tries": TRIES, "by_way": {"table": table}}
