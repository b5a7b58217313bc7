"""
A nested block of one object does not restore the stream
========================================================

Which stream is current after two nested blocks? The one before them, unless both blocks are of one
``torch.cuda.stream(side)`` object: the object remembers one stream, the inner block overwrites it,
and the program stays in the side stream.
"""

from contextlib import suppress

import torch

# %%
# A class has two methods that work in a side stream, and one calls the other. The object of the
# block is kept, or each block makes its own.

side, here = torch.cuda.Stream(), torch.cuda.current_stream()
x, y = torch.zeros(2, 2**20, device="cuda")


class Kept:
    def __init__(self):
        self.in_side = torch.cuda.stream(side)

    def inner(self):
        with self.in_side:
            x.add_(1)

    def outer(self):
        with self.in_side:
            self.inner()

    def fail(self):
        with self.in_side, self.in_side:
            raise KeyError


class Made:
    def inner(self):
        with torch.cuda.stream(side):
            x.add_(1)

    def outer(self):
        with torch.cuda.stream(side):
            self.inner()

    def fail(self):
        with torch.cuda.stream(side), torch.cuda.stream(side):
            raise KeyError


# %%
# Is the previous stream current again after a nested call, after an error, and after two blocks
# that are not nested? ``set_stream`` goes back before each try.

TRIES = 10


def restores(call, *arguments):
    torch.cuda.set_stream(here)
    with suppress(KeyError):
        call(*arguments)
    restored = torch.cuda.current_stream() == here
    torch.cuda.set_stream(here)
    return restored


def in_turn(worker):
    worker.inner()
    worker.inner()


table = []
for name, worker in {"kept": Kept(), "made": Made()}.items():
    row = {"object": name}
    row["nested"] = sum(restores(worker.outer) for _ in range(TRIES))
    row["after_an_error"] = sum(restores(worker.fail) for _ in range(TRIES))
    row["in_turn"] = sum(restores(in_turn, worker) for _ in range(TRIES))
    table.append(row)
    print(row)

# %%
# What comes next is then queued in the side stream, and does not wait for what came before.
# (``_sleep`` is private to PyTorch.)

HOLD = 20_000_000  # cycles: some milliseconds


def is_wrong(worker):
    y.zero_()
    torch.cuda.synchronize()
    torch.cuda._sleep(HOLD)
    y.fill_(5)
    worker.outer()
    total = y.sum()
    torch.cuda.set_stream(here)
    torch.cuda.synchronize()
    return (total != 5 * y.numel()).item()


for row, worker in zip(table, (Kept(), Made())):
    is_wrong(worker)  # not counted: the first launch of a kernel waits
    row["wrong"] = sum(is_wrong(worker) for _ in range(TRIES))
    print(row["object"], row["wrong"])

# %%
# Record the counts of tries.

measured = {"tries": TRIES, "by_object": {"table": table}}
