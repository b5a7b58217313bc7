"""
``record_stream`` looks at the deletion
=======================================

When is the memory of a tensor free again after ``record_stream``? The memory is free when the
stream has done all work that was queued in it before the deletion, even work on other tensors.
"""

import torch

side = torch.cuda.Stream()
x = torch.ones(2**20, device="cuda")
side.wait_stream(torch.cuda.current_stream())  # x is filled
with torch.cuda.stream(side):
    total = x.sum()
x.record_stream(side)
del x  # its memory is free when the side stream has come this far
torch.cuda.current_stream().wait_stream(side)
print(total.item())

# %%
# The current stream makes a tensor, and a side stream uses the tensor, in part late.

COUNT, TRIES = 2**22, 20  # floats: 16 MiB, which get a block of their own
HOLD = 60_000_000  # cycles of the GPU's clock: some tens of milliseconds
here = torch.cuda.current_stream()


def make():
    x = torch.ones(COUNT, device="cuda")
    side.wait_stream(here)
    return x


def use(x):
    with torch.cuda.stream(side):
        x.add_(1)
        return side.record_event()


def hold():
    with torch.cuda.stream(side):
        torch.cuda._sleep(HOLD)  # private to PyTorch, and may change


# %%
# The call may name a part of the tensor, but it has to name the stream of the use.


def recorded_for_a_part():
    x = make()
    hold()
    use(x)
    x[1:].record_stream(side)
    return x.data_ptr()


def recorded_for_its_own_stream():
    x = make()
    hold()
    use(x)
    x.record_stream(here)
    return x.data_ptr()


# %%
# Other work is queued before the tensor is deleted, or after. The host waits for the use.


def deleted_after_other_work():
    x = make()
    x.record_stream(side)
    used, address = use(x), x.data_ptr()
    hold()
    del x
    used.synchronize()
    return address


def deleted_before_other_work():
    x = make()
    x.record_stream(side)
    use(x)
    address = x.data_ptr()
    del x
    used = side.record_event()
    hold()
    used.synchronize()
    return address


# %%
# Is the memory used again at once, while the side stream is held?


def attempt(way):
    torch.cuda.synchronize()
    address = way()
    new = torch.empty(COUNT, device="cuda")
    return new.data_ptr() == address, not side.query()


WAYS = recorded_for_a_part, recorded_for_its_own_stream
WAYS += deleted_after_other_work, deleted_before_other_work
for way in WAYS:
    attempt(way)  # not counted: loads the kernels, and fills the cache
table = []
for way in WAYS:
    reused, held = map(sum, zip(*(attempt(way) for _ in range(TRIES))))
    table.append({"way": way.__name__, "reused": reused, "held": held})
    print(table[-1])

# %%
# Record the counts of tries.

measured = {"tries": TRIES, "by_way": {"table": table}}
