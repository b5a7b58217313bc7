"""
The loss can be read one step late
==================================

How can a training loop log every loss, or stop at the first NaN, without waiting for each
step? It copies the loss into a pinned slot, queues the next step, and only then reads the
slot, after waiting for its event. The value is correct, and one step late.
"""

# sphinx_gallery_quiet = "host"
import math
import time

import torch

# %%
# The pattern wraps any iterable of losses of one dtype. While one slot is read, the next copy
# goes into the other. Without ``detach()``, the slots would get a gradient.


def one_step_late(losses):
    slots, arrived = [], [torch.cuda.Event(), torch.cuda.Event()]
    for step, loss in enumerate(losses):
        if step < 2:
            slots.append(torch.empty_like(loss, device="cpu", pin_memory=True))
        slots[step % 2].copy_(loss.detach(), non_blocking=True)
        arrived[step % 2].record()
        if step:
            arrived[1 - step % 2].synchronize()
            yield slots[1 - step % 2].item()
    if slots:
        arrived[step % 2].synchronize()
        yield slots[step % 2].item()


# %%
# Without the events, nothing tells the host when a value is ready.


def without_events(losses):
    slots = torch.zeros(2, pin_memory=True)
    for step, loss in enumerate(losses):
        slots[step % 2].copy_(loss.detach(), non_blocking=True)
        if step:
            yield slots[1 - step % 2].item()
    yield slots[step % 2].item()


# %%
# The losses of this loop are known: one, two, three. Every step can hold the GPU for a while,
# as real work does.

STEPS = 20
known = torch.arange(1.0, STEPS + 1, device="cuda", requires_grad=True)


def losses_of(numbers, cycles=0):
    for number in numbers:
        if cycles:
            torch.cuda._sleep(cycles)
        yield number * 1.0


def wrong(way, cycles=0):
    torch.cuda.synchronize()
    read = list(way(losses_of(known, cycles)))
    return sum(number != step + 1 for step, number in enumerate(read))


# %%
# Warm up every kernel, by time, because the clocks must ramp up.

ways = (one_step_late, without_events)
warm_until = time.perf_counter() + 0.1
while time.perf_counter() < warm_until:
    for way in ways:
        wrong(way, cycles=100_000)

# %%
# How many values are wrong if the GPU has nothing else to do?

natural = [wrong(without_events) / STEPS for _ in range(10)]
print(f"wrong without events: {sum(natural) / len(natural):.0%} of the numbers")

# %%
# With some milliseconds of work in each step, the host runs ahead, and luck plays no part.

HOLD = 10_000_000  # cycles: some milliseconds
wrong_with, wrong_without = (wrong(way, HOLD) for way in ways)
print(f"wrong of {STEPS}: {wrong_with} with events, {wrong_without} without")

# %%
# A NaN is seen one step late: by then, one more step has been queued.

NAN_AT = 7
numbers = known.detach().clone()
numbers[NAN_AT] = math.nan
queued = iter(losses_of(numbers, HOLD))
for number in one_step_late(queued):
    if math.isnan(number):
        break
steps_late = STEPS - 1 - NAN_AT - len(list(queued))
print(f"NaN in step {NAN_AT}, seen when {steps_late} more was queued")

# %%
# Values that FP32 would round, and a loss with a dimension, are read exactly. If there is no
# loss, there is nothing to read. All measured values are counts.

KINDS = [torch.tensor(0.1).double() / 3], [torch.tensor(2**24 + 1)], [torch.ones(1)], []
read = [list(one_step_late([loss.cuda() for loss in kind])) for kind in KINDS]
exact = sum(got == [x.item() for x in kind] for got, kind in zip(read, KINDS))
print(f"as item() would read them: {exact} of {len(KINDS)} kinds")
measured = {
    "steps": STEPS,
    "wrong_naturally_share": {"samples": natural},
    "wrong_without_events": wrong_without,
    "wrong_with_events": wrong_with,
    "steps_late": steps_late,
    "kinds": len(KINDS),
    "exact_kinds": exact,
}
