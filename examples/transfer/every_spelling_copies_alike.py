"""
Every spelling copies alike
===========================

The docstrings of ``to``, ``cuda`` and ``copy_`` disagree on when ``non_blocking`` takes
effect. Does it matter which one you call? No: each skips the wait for the stream,
pinned or not, and any wait that remains depends on the memory alone.
"""

import torch
from torch import Tensor
from torch.nn.utils.rnn import PackedSequence
from torch.profiler import ProfilerActivity, profile

# %%
# One row of numbers in each kind of host memory, and a short one.

COUNT, FEW = 2**22, 2**14  # 16 MiB, more than the driver stages at once, and 64 KiB
TRIES = 5
pageable, pinned = torch.ones(1, COUNT), torch.ones(1, COUNT, pin_memory=True)
short = torch.ones(1, FEW)

# %%
# Five spellings of the same copy. A module moves in place, so each call makes its own.


def copy_tensor(source, non_blocking):
    torch.empty_like(source, device="cuda").copy_(source, non_blocking=non_blocking)


def move_module(source, non_blocking):
    module = torch.nn.Module()
    module.register_buffer("source", source)
    module.to("cuda", non_blocking=non_blocking)


def move_sequence(source, non_blocking):
    PackedSequence(source, torch.tensor([1])).to("cuda", non_blocking=non_blocking)


spellings = {
    "Tensor.to": lambda source, free: source.to("cuda", non_blocking=free),
    "Tensor.cuda": lambda source, free: source.cuda(non_blocking=free),
    "Tensor.copy_": copy_tensor,
    "Module.to": move_module,
    "PackedSequence.to": move_sequence,
}

# %%
# How often does the host wait for the stream? The profiler counts.

BOTH = [ProfilerActivity.CPU, ProfilerActivity.CUDA]


def waits(spelling, source, non_blocking):
    with profile(activities=BOTH, acc_events=True) as profiler:
        for _ in range(TRIES):
            spelling(source, non_blocking)
        torch.cuda.synchronize()
    return sum(event.name == "cudaStreamSynchronize" for event in profiler.events())


# %%
# And does the call return while a sleeping kernel holds the stream?

HOLD = 20_000_000  # cycles: some milliseconds, on any GPU


def early(spelling, source, non_blocking, cycles=HOLD):
    released, count = torch.cuda.Event(), 0
    for _ in range(TRIES):
        torch.cuda.synchronize()
        torch.cuda._sleep(cycles)
        released.record()
        spelling(source, non_blocking)
        count += not released.query()
    return count


for spelling in spellings.values():  # loads every kernel
    for source in (short, pageable, pinned):
        early(spelling, source, True, 100_000)

# %%
# All spellings. The waits for the stream are counted for copies from pageable memory.

table = []
for name, spelling in spellings.items():
    row = {"spelling": name}
    row["default_waits"] = waits(spelling, pageable, False)
    row["free_waits"] = waits(spelling, pageable, True)
    row["default_early"] = early(spelling, pinned, False)
    for kind, source in (("pinned", pinned), ("short", short), ("pageable", pageable)):
        row[f"{kind}_early"] = early(spelling, source, True)
    table.append(row)
    print(", ".join(f"{key}: {value}" for key, value in row.items()))

# %%
# And this is what the docstrings say.

docstrings = {
    "cuda_needs_pinned": "Otherwise, the argument has no effect" in Tensor.cuda.__doc__,
    "to_takes_both": "both pinned and pageable memory" in Tensor.to.__doc__,
    "copy_names_pinned": "pinned" in Tensor.copy_.__doc__,
}
print(docstrings)

# %%
# Counts of calls.

alike = all(list(row.values())[1:] == list(table[0].values())[1:] for row in table)
measured = {"tries": TRIES, "alike": alike, "by_spelling": {"table": table}}
measured |= docstrings
