"""
An event of any device keeps the core busy
==========================================

``torch.cuda.Event(blocking=True)`` lets a waiting thread sleep. Does ``torch.Event``, which works
with any accelerator, let it sleep, too? It takes the same argument.
"""

# sphinx_gallery_quiet = "host"
import time

import torch

# A delay of some tens of milliseconds; ``torch.cuda._sleep`` is private, and may change.
CYCLES, ROUNDS = 60_000_000, 8

torch.zeros(1, device="cuda")  # starts CUDA
event = torch.Event("cuda", blocking=True)
torch.cuda._sleep(CYCLES)
event.record()
begin, used = time.perf_counter(), time.process_time()
event.synchronize()
taken, used = time.perf_counter() - begin, time.process_time() - used
print(f"the wait took {taken * 1e3:.0f} ms, and {used / taken:.0%} of a core")

# %%
# Ways to make an event. ``torch.get_device_module`` gives ``torch.cuda`` where CUDA is the
# accelerator, so that a program which runs on others need not name it.

WAYS = {
    "torch.Event": lambda blocking: torch.Event("cuda", blocking=blocking),
    "torch.cuda.Event": lambda blocking: torch.cuda.Event(blocking=blocking),
    "get_device_module": lambda blocking: torch.get_device_module("cuda").Event(
        blocking=blocking
    ),
}


def core_share(make, blocking):
    torch.cuda.synchronize()
    torch.cuda._sleep(CYCLES)
    event = make(blocking)
    event.record()
    begin, used = time.perf_counter(), time.process_time()
    event.synchronize()
    taken = time.perf_counter() - begin
    reached = event.query()
    return taken, (time.process_time() - used) / taken, reached


# %%
# The CPU time of the process during each wait, as a share of how long the wait takes. The ways take
# turns; the first turn loads what they need.

cases = [(way, blocking) for way in WAYS for blocking in (False, True)]
turns = []
for turn in range(1 + ROUNDS):
    order = cases[:: -1 if turn % 2 else 1]
    turns.append({case: core_share(WAYS[case[0]], case[1]) for case in order})

table = []
for way, blocking in cases:
    waits, shares, reached = zip(*(turn[way, blocking] for turn in turns[1:]))
    median = sorted(shares)[ROUNDS // 2]
    name = f"{way}, blocking" if blocking else way
    row = {"event": name, "below_a_twentieth": median < 0.05}
    row |= {"busy": median > 0.5, "reached": sum(reached)}
    table.append(
        row | {"wait_s": {"samples": waits}, "core_share": {"samples": shares}}
    )
    print(f"{name}: {median:.1%} of a core")

# %%
# A share of one means that the wait occupies a whole core.

measured = {
    "rounds": ROUNDS,
    "is_cudas": torch.get_device_module("cuda").Event is torch.cuda.Event,
    "by_event": {"table": table},
}
