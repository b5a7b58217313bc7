"""
Another stream must be awaited
==============================

May the current stream use a tensor while another stream copies to it? Not until it has
waited for that stream: neither a kernel nor even a blocking copy waits on its own. A
blocking copy waits for only one stream, the current one.
"""

# sphinx_gallery_quiet = "host"
import torch

# %%
# One stream copies ones over zeros, and another adds them up.

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
# A kernel in the current stream, without and with a wait.


def use_at_once():
    fill(side)
    return x.sum()


def use_after_waiting():
    fill(side)
    here.wait_stream(side)
    return x.sum()


# %%
# A blocking copy to the host: filled in a side stream and copied from the default
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
# If the copy in the side stream is blocking, the host does not continue until the copy
# is done.


def use_after_blocking_copy():
    fill(side, non_blocking=False)
    return x.sum()


# %%
# One try, and the warm-up. The device is idle before and after the zeros are written:
# otherwise, they could come before the ones of the previous try.


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
# The same with the copy's stream held for a few milliseconds.

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
# The number of tries in which the sum was not that of the ones.

measured = {"tries": TRIES, "wrong_naturally_share": {"samples": natural}}
measured |= {f"wrong_{name}": count for name, count in wrong.items()}
