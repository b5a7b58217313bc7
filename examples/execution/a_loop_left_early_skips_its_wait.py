"""
A loop that is left early skips its last wait
=============================================

What happens to the last tensors of a prefetching loop if the loop is left by ``break``, or by an
exception? A generator stops at its ``yield``, so a wait after its loop never runs, and the side
stream overwrites tensors that are still in use. In a ``finally``, the wait always runs.
"""

import torch

# %%
# A side stream copies weights, and the current stream uses them, late: a kernel that only sleeps
# holds it. (``_sleep`` is private to PyTorch and may change.)

COUNT, TRIES, LEFT_AFTER = 2**22, 10, 3  # floats: 16 MiB, which get whole blocks
HOLD, WORK = 20_000_000, 4_000_000  # cycles of the GPU's clock: about 10 ms, and 2 ms
here, side = torch.cuda.current_stream(), torch.cuda.Stream()
hosts = [torch.full((COUNT,), float(i + 1), pin_memory=True) for i in range(4)]


def fetch(step):
    with torch.cuda.stream(side):
        weights = hosts[step % 4].to("cuda", non_blocking=True)
    here.wait_stream(side)
    return weights


def use(weights):
    torch.cuda._sleep(WORK)
    return weights.sum()


# %%
# Both generators keep two tensors and wait for the use of the older. They differ in the place of
# the last wait.


def wait_behind_the_loop(steps):
    queue = []
    for step in range(steps):
        if len(queue) == 2:
            side.wait_event(queue.pop(0)[1])
        weights = fetch(step)
        yield use(weights)
        queue.append((weights, here.record_event()))
    side.wait_stream(here)


def wait_in_finally(steps):
    queue = []
    try:
        for step in range(steps):
            if len(queue) == 2:
                side.wait_event(queue.pop(0)[1])
            weights = fetch(step)
            yield use(weights)
            queue.append((weights, here.record_event()))
    finally:
        side.wait_stream(here)


# %%
# The loop runs to its end, or is left in one of two ways. After it, the side stream makes tensors.


def to_the_end(way, sums):
    for total in way(LEFT_AFTER):
        sums.append(total)


def left_by_break(way, sums):
    for total in way(2 * LEFT_AFTER):
        sums.append(total)
        if len(sums) == LEFT_AFTER:
            break


def left_by_an_exception(way, sums):
    try:
        for total in way(2 * LEFT_AFTER):
            sums.append(total)
            if len(sums) == LEFT_AFTER:
                raise ValueError
    except ValueError:
        pass


def is_wrong(way, leave):
    sums = []
    torch.cuda.synchronize()
    torch.cuda._sleep(HOLD)
    leave(way, sums)
    with torch.cuda.stream(side):
        new = [torch.full((COUNT,), 77.0, device="cuda") for _ in range(2)]
    torch.cuda.synchronize()
    assert len(sums) == LEFT_AFTER and len(new) == 2
    return any(x.item() != (i % 4 + 1) * COUNT for i, x in enumerate(sums))


# %%
# Count the tries in which any sum was wrong.

rows = []
for way in (wait_behind_the_loop, wait_in_finally):
    rows.append({"way": way.__name__})
    for leave in (to_the_end, left_by_break, left_by_an_exception):
        is_wrong(way, leave)  # not counted: the first launch of a kernel may wait
        count = sum(is_wrong(way, leave) for _ in range(TRIES))
        rows[-1][f"{leave.__name__}_wrong"] = count
    print(rows[-1])

measured = {"tries": TRIES, "by_way": {"table": rows}}
