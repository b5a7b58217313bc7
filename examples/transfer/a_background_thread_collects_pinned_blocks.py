"""
A background thread collects pinned blocks
==========================================

If you drop a pinned block while it is being copied, it becomes free again once the
copy is done. What takes care of that? The next call that pins memory does, by going
through all such blocks; with ``pinned_use_background_threads``, a thread does, which
may come too late for that call.
"""

import time
from statistics import median

import torch

# %%
# Many small pinned tensors are copied while the stream is held, and dropped
# immediately.

COUNT, SIZE = 500, 4096
ROUNDS, HOLD_CYCLES = 10, 20_000_000  # about 10 ms, longer than it takes to queue all
torch.cuda.init()
empty_host_cache = getattr(torch.accelerator, "empty_host_cache", None)
empty_host_cache = empty_host_cache or torch._C._host_emptyCache  # before PyTorch 2.12


def pin():
    return torch.empty(SIZE, dtype=torch.uint8, pin_memory=True)


def copy_and_drop(count):
    tensors = [pin() for _ in range(count)]
    torch.cuda._sleep(HOLD_CYCLES)
    for tensor in tensors:
        tensor.to("cuda", non_blocking=True)
    del tensor, tensors
    torch.cuda.synchronize()


# %%
# How long does it take to pin the next tensor, once the copies are done?


def next_pinning_seconds():
    copy_and_drop(COUNT)
    begin = time.perf_counter()
    pin()
    return time.perf_counter() - begin


# %%
# When the only block of a size is dropped, can the next tensor use it, or is a new
# block allocated?


def makes_a_block():
    empty_host_cache()
    pin()
    before = torch.cuda.host_memory_stats()["num_host_alloc"]
    copy_and_drop(1)
    pin()
    return torch.cuda.host_memory_stats()["num_host_alloc"] - before


# %%
# Once started, the thread keeps running, so the default comes first.


def rounds(setting):
    options = f"pinned_use_background_threads:{setting}"
    torch._C._accelerator_setAllocatorSettings(options)
    next_pinning_seconds()
    seconds = median(next_pinning_seconds() for _ in range(ROUNDS))
    made = sum(makes_a_block() for _ in range(ROUNDS))
    print(f"{setting:>5}: {seconds * 1e6:.0f} us; new blocks: {made} of {ROUNDS}")
    return seconds, made


default, default_made = rounds("False")
background, background_made = rounds("True")

# %%
# The times are far apart, so it is enough to say which is shorter. The number of new blocks
# varies, but there always are some.

measured = {
    "blocks": COUNT,
    "tries": ROUNDS,
    "next_is_faster": background < default / 2,
    "new_blocks_default": default_made,
    "makes_new_blocks": background_made > 0,
}
