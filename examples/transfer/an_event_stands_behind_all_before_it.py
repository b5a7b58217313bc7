"""
An event stands behind all before it
====================================

What does the host wait for, when it waits for an event behind a copy? For everything
that the stream was given before the event, and not for the copy alone. Not for what
comes after it, nor for another stream: ``torch.cuda.synchronize()`` waits for that too.
"""

import torch

# %%
# The copy stands between two kernels that only sleep. Another stream sleeps for longer
# than both.

TRIES, HOLD = 10, 20_000_000  # cycles: some milliseconds, on any GPU
gpu = torch.ones(2**20, device="cuda")
host = torch.zeros(2**20, pin_memory=True)
here, other = torch.cuda.current_stream(), torch.cuda.Stream()
earlier, copied, later = (torch.cuda.Event() for _ in range(3))


def queue(cycles):
    torch.cuda.synchronize()
    with torch.cuda.stream(other):
        torch.cuda._sleep(3 * cycles)
    torch.cuda._sleep(cycles)
    earlier.record()
    host.copy_(gpu, non_blocking=True)
    copied.record()
    torch.cuda._sleep(cycles)
    later.record()


# %%
# What is done, and what is not, when the host goes on?


def state_after(wait):
    queue(HOLD)
    wait()
    return earlier.query(), later.query(), other.query()


queue(1000)  # loads the kernels
table = []
for name, wait in {"event": copied.synchronize, "all": torch.cuda.synchronize}.items():
    done = [state_after(wait) for _ in range(TRIES)]
    counts = [sum(column) for column in zip(*done, strict=True)]
    columns = ("earlier_done", "later_done", "other_done")
    table.append({"wait": name} | dict(zip(columns, counts, strict=True)))
    print(table[-1])

# %%
# A tutorial mentions ``torch.device.synchronize()``. Is there such a method?

device_synchronizes = hasattr(torch.device, "synchronize")
print(f"torch.device.synchronize exists: {device_synchronizes}")

# %%
# Counts of tries, all of them exact.

measured = {
    "tries": TRIES,
    "by_wait": {"table": table},
    "device_synchronizes": device_synchronizes,
}
