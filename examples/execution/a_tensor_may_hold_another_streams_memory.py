"""
A tensor may hold another stream's memory
=========================================

May I delete a tensor that I made in the stream that uses it? Not if another stream gave it its
memory since: as an ``out=`` that was too small, or as a new ``.data``. The memory goes back to the
stream that allocated it, so that stream must wait for the use.
"""

import torch

here, side = torch.cuda.current_stream(), torch.cuda.Stream()
COUNT, TRIES = 2**22, 15
HOLD = 20_000_000  # cycles of the GPU's clock: about ten milliseconds
ones = torch.ones(COUNT, device="cuda")

# %%
# The current stream makes each tensor. In the last two, the side stream allocates what they hold.


def large_enough():
    x = torch.empty(COUNT, device="cuda")
    with torch.cuda.stream(side):
        torch.mul(ones, 3, out=x)
    return x


def resized_by_out():
    x = torch.empty(0, device="cuda")
    with torch.cuda.stream(side):
        torch.mul(ones, 3, out=x)
    return x


def given_new_data():
    x = torch.empty(0, device="cuda")
    with torch.cuda.stream(side):
        x.data = ones * 3
    return x


# %%
# The current stream uses the tensor, and then it is deleted.


def deleted_at_once(make):
    x = make()
    total = x.sum()
    del x
    return total


def deleted_after_a_wait(make):
    x = make()
    total = x.sum()
    side.wait_stream(here)
    del x
    return total


# %%
# The use comes after a kernel that only sleeps; afterwards, the side stream makes new tensors.
# (``_sleep`` is private to PyTorch and may change.)


def attempt(form, way):
    def make():
        x = form()
        here.wait_stream(side)
        torch.cuda._sleep(HOLD)
        return x

    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    total = way(make)
    with torch.cuda.stream(side):
        new = [torch.full((COUNT,), 7.0, device="cuda") for _ in range(2)]
    torch.cuda.synchronize()
    del new
    return total.item() != 3 * COUNT


rows = []
for form in (large_enough, resized_by_out, given_new_data):
    for way in (deleted_at_once, deleted_after_a_wait):
        attempt(form, way)  # not counted: the first launch of a kernel may wait
        wrong = sum(attempt(form, way) for _ in range(TRIES))
        rows.append({"case": f"{form.__name__}, {way.__name__}", "wrong": wrong})
        print(rows[-1])

measured = {"tries": TRIES, "by_case": {"table": rows}}
