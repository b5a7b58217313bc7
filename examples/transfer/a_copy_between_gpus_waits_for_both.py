"""
A copy between GPUs waits for both
==================================

What does ``.to("cuda:1")`` wait for? For the current stream of each GPU. The host does not
wait, and any other PyTorch stream has to be told to wait.
"""

# sphinx_gallery_evidence = {"gpus": 2}
import torch

x = torch.arange(1000, device="cuda:0")
y = x.to("cuda:1")  # queued: the host goes on
print(f"{y.device}: the sum is {y.sum().item()}")  # runs after the copy

# %%
# Copies go in both directions. Each GPU also has a stream that is not its current one.

COUNT = 2**20  # 64-bit integers: 8 MiB
PAIRS = [("cuda:0", "cuda:1"), ("cuda:1", "cuda:0")]
HOLD = 20_000_000  # cycles of the GPU's clock, about ten milliseconds
sides = {torch.device(d): torch.cuda.Stream(device=d) for d, _ in PAIRS}


def held(device):  # ``_sleep`` is private to PyTorch and may change
    with torch.cuda.device(device):
        torch.cuda._sleep(HOLD)
        return torch.cuda.current_stream().record_event()


# %%
# Each way fills a tensor on one GPU with ones, copies it into zeros on the other, and sums
# them there. A held stream of the first GPU makes the ones late.


def read_after(x, y, non_blocking):
    late = held(x.device)
    x.fill_(1)
    y.copy_(x, non_blocking=non_blocking)
    return y.sum(), late


def read_in_side_stream(x, y, non_blocking):
    late, side = held(x.device), sides[y.device]
    x.fill_(1)
    y.copy_(x, non_blocking=non_blocking)
    with torch.cuda.stream(side):
        return y.sum(), late


def read_in_waiting_stream(x, y, non_blocking):
    late, side = held(x.device), sides[y.device]
    x.fill_(1)
    y.copy_(x, non_blocking=non_blocking)
    side.wait_stream(torch.cuda.current_stream(y.device))
    with torch.cuda.stream(side):
        return y.sum(), late


def fill_in_side_stream(x, y, non_blocking):
    with torch.cuda.stream(sides[x.device]):
        late = held(x.device)
        x.fill_(1)
    y.copy_(x, non_blocking=non_blocking)
    return y.sum(), late


def fill_in_awaited_stream(x, y, non_blocking):
    with torch.cuda.stream(sides[x.device]):
        late = held(x.device)
        x.fill_(1)
    torch.cuda.current_stream(x.device).wait_stream(sides[x.device])
    y.copy_(x, non_blocking=non_blocking)
    return y.sum(), late


# %%
# A held stream of the second GPU reads the zeros late, and the copy must not come first.


def read_before(x, y, non_blocking):
    x.fill_(1)
    late = held(y.device)
    total = y.sum()
    y.copy_(x, non_blocking=non_blocking)
    return total, late


# %%
# The host has waited if the held stream is free once everything is queued.


def attempt(way, pair, non_blocking):
    x, y = (torch.zeros(COUNT, dtype=torch.int64, device=device) for device in pair)
    for device in pair:
        torch.cuda.synchronize(device)
    total, late = way(x, y, non_blocking)
    host_waited = late.query()
    for device in pair:
        torch.cuda.synchronize(device)
    return total.item() == 0, host_waited


# %%
# Ten tries each, in both directions, with ``non_blocking`` and without.

WAYS = read_after, read_in_side_stream, read_in_waiting_stream
WAYS += fill_in_side_stream, fill_in_awaited_stream, read_before
TRIED = [(pair, flag) for pair in PAIRS for flag in (False, True)]
by_way = []
for way in WAYS:
    for case in TRIED:
        attempt(way, *case)  # not counted: the first launch of a kernel waits
    old, waited = map(sum, zip(*[attempt(way, *case) for case in 10 * TRIED]))
    row = {"way": way.__name__, "read_old": old, "host_waited": waited}
    by_way.append(row)
    print(row)

measured = {"tries": 10 * len(TRIED), "by_way": {"table": by_way}}
