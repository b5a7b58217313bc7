"""
Prefetching needs every wait
============================

Which of the waits of a double-buffered copy can be left out? None: without any one of
them, batches are mixed up as soon as the host or one of the streams falls behind.
"""

import torch

# %%
# Each batch is filled with its own number, so that a sum tells which batch, or what
# mixture, it saw.

COUNT, BATCHES, TRIES = 2**18, 4, 20  # floats in a batch: 1 MiB
torch.set_num_threads(1)  # filling a buffer must not wait for other threads
pinned = torch.zeros(2, COUNT, pin_memory=True)
copied = [torch.cuda.Event() for _ in range(2)]
consumed = [torch.cuda.Event() for _ in range(2)]
main, side = torch.cuda.current_stream(), torch.cuda.Stream()

# %%
# Fill and send a batch, with or without the waits for its two buffers.


def send(index, on_gpu, without):
    turn = index % 2
    if without != "refill":
        copied[turn].synchronize()
    pinned[turn].fill_(index + 1)
    if without != "overwrite":
        side.wait_event(consumed[turn])
    with torch.cuda.stream(side):
        on_gpu[turn].copy_(pinned[turn], non_blocking=True)
        copied[turn].record()


# %%
# Hand it out, with or without waiting for its copy, or initially for the buffers.


def prefetched(on_gpu, without):
    if without != "start":
        side.wait_stream(main)
    send(0, on_gpu, without)
    for index in range(BATCHES):
        if index + 1 < BATCHES:
            send(index + 1, on_gpu, without)
        if without != "arrival":
            main.wait_event(copied[index % 2])
        yield on_gpu[index % 2]
        consumed[index % 2].record(main)


# %%
# Run one try. The buffers' memory belonged to a tensor before. Anything that can be
# late can be held: the copies, the work on the first batch, or earlier work in the main
# stream.

RIGHT = [COUNT * (index + 1) for index in range(BATCHES)]


def is_wrong(without, held=None, cycles=0):
    torch.cuda.synchronize()
    hold = {"copies": side, "start": main}.get(held)
    if hold:
        with torch.cuda.stream(hold):
            torch.cuda._sleep(cycles)
    earlier = torch.empty(2, COUNT, device="cuda").zero_()
    del earlier
    sums = []
    for batch in prefetched(torch.empty(2, COUNT, device="cuda"), without):
        if held == "work" and not sums:
            torch.cuda._sleep(cycles)
        sums.append(batch.sum())
    return [float(total) for total in sums] != RIGHT


# %%
# Hold it for some milliseconds, as real work would. The function that does this is
# private to PyTorch and may change.

HELD = {"refill": "copies", "overwrite": "work", "arrival": "copies", "start": "start"}
HOLD_S, CYCLES = 0.01, 10_000_000
for without, held in HELD.items():
    is_wrong(without, held, CYCLES)  # loads every kernel
begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
begin.record()
torch.cuda._sleep(CYCLES)
end.record()
end.synchronize()
cycles = int(HOLD_S * CYCLES / (begin.elapsed_time(end) / 1e3))

# %%
# Leave out each wait while what it waits for is late, and keep all of them with the
# same delays.

rows, kept = [], 0
for without, held in HELD.items():
    wrong = sum(is_wrong(without, held, cycles) for _ in range(TRIES))
    kept += sum(is_wrong(None, held, cycles) for _ in range(TRIES))
    rows.append({"without": without, "wrong": wrong})
    print(f"without the wait for {without}: wrong {wrong} of {TRIES}")
print(f"with all the waits: {kept} of {TRIES * len(HELD)}")

# %%
# A wait is needed if every try without it gets any of its batches wrong.

measured = {
    "tries": TRIES,
    "by_wait": {"table": rows},
    "waits": len(rows),
    "needed_waits": sum(row["wrong"] == TRIES for row in rows),
    "wrong_with_all": kept,
}
