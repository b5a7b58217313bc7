"""
An event stands behind all before it
====================================

What does the host wait for when it waits for an event after a copy? For everything that
was queued in the stream before the event, not just the copy. It does not wait for later
work or for other streams: ``torch.cuda.synchronize()`` waits for those too.
"""

import torch

# %%
# The copy is queued between two kernels that only sleep. Another stream sleeps for
# longer than both.

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
# What is done when the host continues, and what is not?


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
# Exact counts of tries.

measured = {
    "tries": TRIES,
    "by_wait": {"table": table},
    "device_synchronizes": device_synchronizes,
}
