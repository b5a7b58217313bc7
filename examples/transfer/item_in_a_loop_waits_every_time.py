"""
item() in a loop waits every time
=================================

What does ``loss.item()`` in every step cost? The host waits until the GPU has done
the step, and the GPU then waits for the host. Fetching all values at the end costs
nothing. Reading one step late has a price, and pays off if the host has other work.
"""

# sphinx_gallery_quiet = "host"
import time
from statistics import median

import torch

# %%
# A step launches four kernels. Short ones run for less time than it takes to launch
# them, with forty more in the second loop; long ones run for more. In the last loop,
# the host has other work in each step, here a busy wait, but less than the GPU.

STEPS, ROUNDS = 40, 5  # long steps: below the 1024 launches that fit into the queue
LOOPS = {"short": (128, 1, 0.0), "many": (128, 21, 0.0)}
LOOPS |= {"long": (2048, 1, 0.0), "host": (2048, 1, 200e-6)}
start = {n: torch.ones(n, n, device="cuda") / n for n, *_ in LOOPS.values()}


def losses(loop):
    width, layers, host_s = LOOPS[loop]
    weight = state = start[width]
    for _ in range(STEPS):
        host_until = time.perf_counter() + host_s
        while time.perf_counter() < host_until:
            pass
        for _ in range(layers):
            state = torch.tanh(state @ weight)
        yield state.square().mean()


# %%
# A sum can stay on the GPU. Values needed later can all be fetched at once.


def item_each(loop):
    return [loss.item() for loss in losses(loop)]


def sum_on_gpu(loop):
    return sum(losses(loop)).item()


def stack_at_end(loop):
    return torch.stack(list(losses(loop))).tolist()


# %%
# One step late: each value is read when the next step has been queued. Of the two
# slots, one is read while the next copy goes into the other.

slots = torch.zeros(2, pin_memory=True)
arrived = [torch.cuda.Event() for _ in range(2)]


def one_step_late(loop):
    values = []
    for step, loss in enumerate(losses(loop)):
        slots[step % 2].copy_(loss, non_blocking=True)
        arrived[step % 2].record()
        if step:
            arrived[1 - step % 2].synchronize()
            values.append(slots[1 - step % 2].item())
    arrived[step % 2].synchronize()
    return [*values, slots[step % 2].item()]


# %%
# The other loops are compared with one that reads nothing.


def read_nothing(loop):
    return len([None for _ in losses(loop)])


def seconds(way, loop):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    way(loop)
    torch.cuda.synchronize()
    return time.perf_counter() - begin


# %%
# The methods take turns.

WAYS = (read_nothing, item_each, sum_on_gpu, stack_at_end, one_step_late)
warm_until = time.perf_counter() + 0.1  # a fixed time: clocks ramp up slowly
while time.perf_counter() < warm_until:
    _ = [way(loop) for way in WAYS for loop in LOOPS]
rounds = [{n: [seconds(way, n) for way in WAYS] for n in LOOPS} for _ in range(ROUNDS)]

# %%
# Slowdowns are relative to the loop that reads nothing. With long steps, that loop
# keeps the GPU busy: any extra time of the same kernels in another loop is idle time.
# With short steps, it only launches, so reading has a price in launches.

table, idle, price = [], {}, {}
for loop in LOOPS:
    for number, way in enumerate(WAYS[1:], 1):
        slowdown = [times[loop][number] / times[loop][0] for times in rounds]
        idle[way] = [1 - times["long"][0] / times["host"][number] for times in rounds]
        price[loop, way] = [4 * (factor - 1) for factor in slowdown]
        name = f"{loop},{way.__name__}"
        table.append({"loop": name, "slowdown": {"samples": slowdown}})
        print(f"{name:>19}: {median(slowdown):.2f} times as long")
measured = {
    "steps": STEPS,
    "by_loop": {"table": table},
    "item_idle_share": {"samples": idle[item_each]},
    "late_idle_share": {"samples": idle[one_step_late]},
    "item_over_launch_ratio": {"samples": price["short", item_each]},
    "late_over_launch_ratio": {"samples": price["short", one_step_late]},
}
