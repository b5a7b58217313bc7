"""
Another stream must be awaited
==============================

May the current stream use a tensor that another stream is copying to? Not before it has
waited for that stream: neither a kernel nor even a blocking copy waits by itself. A
blocking copy waits for one stream, the current one.
"""

import torch

# %%
# Ones are copied over zeros, in one stream, and added up in another.

COUNT = 2**20  # floats: 4 MiB, and few enough that a sum of ones is exact
TRIES = 20
here, side = torch.cuda.current_stream(), torch.cuda.Stream()
ones = torch.ones(COUNT, pin_memory=True)
x = torch.zeros(COUNT, device="cuda")
hold = 0


def fill(stream, non_blocking=True):
    with torch.cuda.stream(stream):
        if hold:
            torch.cuda._sleep(hold)
        x.copy_(ones, non_blocking=non_blocking)


# %%
# A kernel in the current stream, without waiting and with.


def use_at_once():
    fill(side)
    return x.sum()


def use_after_waiting():
    fill(side)
    here.wait_stream(side)
    return x.sum()


# %%
# A copy to the host that blocks: filled in a side stream and copied from the default
# one, the other way round, and all in one stream.


def copy_at_once():
    fill(side)
    return x.cpu().sum()


def copy_in_side_stream():
    fill(here)
    with torch.cuda.stream(side):
        return x.cpu().sum()


def copy_in_same_stream():
    fill(here)
    return x.cpu().sum()


# %%
# Where the copy in the side stream is a blocking one, the host does not go on before
# it is done.


def use_after_blocking_copy():
    fill(side, non_blocking=False)
    return x.sum()


# %%
# One try, and the warm-up. The device is idle before and after the zeros: else they
# could themselves come before the ones of the last try.


def is_wrong(way):
    torch.cuda.synchronize()
    x.zero_()
    torch.cuda.synchronize()
    return bool(way() != COUNT)


ways = (use_at_once, use_after_waiting, use_after_blocking_copy)
ways += (copy_at_once, copy_in_side_stream, copy_in_same_stream)
for way in ways:
    is_wrong(way)  # not counted: the first launch of a kernel waits
natural = [sum(is_wrong(use_at_once) for _ in range(TRIES)) / TRIES for _ in range(5)]
print(f"wrong without a held stream: {sum(natural) / len(natural):.0%} of the tries")

# %%
# With the stream of the copy held for some milliseconds.

HOLD_S, CYCLES = 0.005, 10_000_000
begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
begin.record()
torch.cuda._sleep(CYCLES)
end.record()
end.synchronize()
hold = int(HOLD_S * CYCLES / (begin.elapsed_time(end) / 1e3))
wrong = {way.__name__: sum(is_wrong(way) for _ in range(TRIES)) for way in ways}
for name, count in wrong.items():
    print(f"{name:>23}: wrong {count} of {TRIES}")

# %%
# Counts of the tries in which the sum was not that of the ones.

measured = {"tries": TRIES, "wrong_naturally_share": {"samples": natural}}
measured |= {f"wrong_{name}": count for name, count in wrong.items()}
