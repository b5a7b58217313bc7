"""
A DLPack copy is not awaited
============================

Is a tensor ready in the stream that you name if you also ask for a copy? No: PyTorch makes that
stream wait first, and queues the copy afterwards, in the current stream.
"""

import torch

# %%
# The tensor and its copy are large, so that the copy takes longer than the launch of a sum.
# The memory of the copy holds old numbers. (``_sleep`` is private to PyTorch.)

COUNT, TRIES, HOLD = 2**29, 10, 20_000_000  # the last in cycles: some milliseconds
here, side = torch.cuda.current_stream(), torch.cuda.Stream()
x = torch.zeros(COUNT, device="cuda")


def fill():
    old = torch.full_like(x, -1)
    x.zero_()
    torch.cuda.synchronize()
    del old  # the copy gets this memory
    torch.cuda._sleep(HOLD)
    x.fill_(1)


# %%
# The side stream is named, and sums the last numbers: of the tensor, and of copies.


def shared():
    capsule = x.__dlpack__(stream=side.cuda_stream)
    with torch.cuda.stream(side):
        y = torch.from_dlpack(capsule)
        return y, y[-1024:].sum()


def copied():
    capsule = x.__dlpack__(stream=side.cuda_stream, copy=True)
    with torch.cuda.stream(side):
        y = torch.from_dlpack(capsule)
        return y, y[-1024:].sum()


def copied_and_awaited():
    capsule = x.__dlpack__(stream=side.cuda_stream, copy=True)
    side.wait_stream(here)
    with torch.cuda.stream(side):
        y = torch.from_dlpack(capsule)
        return y, y[-1024:].sum()


# %%
# In how many tries is the sum wrong? In the end, the copy is always right.


def outcome(way):
    fill()
    y, total = way()
    torch.cuda.synchronize()
    return (total != 1024).item(), (y[-1024:] == 1).all().item()


table = []
for way in (shared, copied, copied_and_awaited):
    outcome(way)  # not counted: the first launch of a kernel waits
    wrong, right_later = zip(*(outcome(way) for _ in range(TRIES)))
    row = {"way": way.__name__, "wrong": sum(wrong), "right_later": sum(right_later)}
    table.append(row)
    print(row)

measured = {"tries": TRIES, "by_way": {"table": table}}
