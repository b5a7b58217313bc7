"""
Emptying pinned memory waits for the GPU
========================================

Does pinning wait for work on the GPU, or hold it up? It does neither. Releasing
pinned memory does wait, for the whole GPU, whatever it is doing.
"""

import torch

# %%
# A kernel that only sleeps keeps one stream busy. The memory to be pinned has nothing
# to do with it.

SIZE = 4 * 2**20  # bytes
TRIES = 10
busy, other = torch.cuda.Stream(), torch.cuda.Stream()
empty_host_cache = getattr(torch.accelerator, "empty_host_cache", None)
empty_host_cache = empty_host_cache or torch._C._host_emptyCache  # before PyTorch 2.12
cudart = torch.cuda.cudart()
ordinary = torch.ones(SIZE, dtype=torch.uint8)


def pin():
    torch.empty(SIZE, dtype=torch.uint8, pin_memory=True)


# %%
# The other way to get pinned memory is to register memory that already exists.


def register():
    code = cudart.cudaHostRegister(ordinary.data_ptr(), SIZE, 0)
    torch.cuda.check_error(code)


def unregister():
    torch.cuda.check_error(cudart.cudaHostUnregister(ordinary.data_ptr()))


def nothing():
    pass


# %%
# Each case lists what is prepared, what is called while the GPU is busy, and what
# cleans up.

CASES = {
    "first_pinning": (empty_host_cache, pin, nothing),
    "cached_pinning": (pin, pin, nothing),
    "emptying": (pin, empty_host_cache, nothing),
    "registering": (nothing, register, unregister),
    "unregistering": (register, unregister, nothing),
}


def run_beside():
    with torch.cuda.stream(other):
        torch.cuda._sleep(1000)
    other.synchronize()


# %%
# A single try: is the stream still busy when the call returns, and can another stream
# run a kernel to completion in the meantime?


def is_busy_after(case, cycles):
    prepare, call, tidy_up = case
    prepare()
    torch.cuda.synchronize()
    with torch.cuda.stream(busy):
        torch.cuda._sleep(cycles)
    call()
    returned = not busy.query()
    run_beside()
    ran_beside = not busy.query()
    torch.cuda.synchronize()
    tidy_up()
    return returned, ran_beside


for case in CASES.values():
    is_busy_after(case, 100_000)  # loads the kernel

# %%
# The kernel sleeps far longer than pinning takes.

HOLD_S, CYCLES = 0.015, 10_000_000
begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
begin.record()
torch.cuda._sleep(CYCLES)
end.record()
end.synchronize()
hold = int(HOLD_S * CYCLES / (begin.elapsed_time(end) / 1e3))
table = []
for call, case in CASES.items():
    returned, beside = zip(*(is_busy_after(case, hold) for _ in range(TRIES)))
    row = {"returned": sum(returned), "ran_beside": sum(beside)}
    table.append({"call": call} | row)
    print(f"{call:>15}: {row} of {TRIES}")

# %%
# Counts of the tries in which the call returned, and the other kernel ran, while the
# stream was still busy.

measured = {"tries": TRIES, "by_call": {"table": table}}
