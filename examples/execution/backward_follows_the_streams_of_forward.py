"""
Backward follows the streams of forward
=======================================

In which stream does a backward pass run? Each backward operation runs in the stream of its
forward operation, wherever backward is called: branches that ran side by side in forward also
run side by side in backward.
"""

import torch

side = torch.cuda.Stream()
x = torch.ones(1000, device="cuda", requires_grad=True)
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):
    y = x * 3
y.register_hook(lambda _: print(torch.cuda.current_stream() == side))
torch.cuda.current_stream().wait_stream(side)
y.sum().backward()

# %%
# This operation notes its stream in both directions, and keeps the stream busy for a few
# milliseconds. (``_sleep`` is private to PyTorch and may change.)

HOLD = 10_000_000  # cycles of the GPU's clock, about five milliseconds
here, other = torch.cuda.current_stream(), torch.cuda.Stream()
noted, same = {"forward": [], "backward": []}, []


def busy(direction):
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    torch.cuda._sleep(HOLD)
    end.record()
    noted[direction].append((begin, end))
    return torch.cuda.current_stream()


class Slow(torch.autograd.Function):
    """Doubles its input, slowly."""

    @staticmethod
    def forward(ctx, x):
        """Remember the stream."""
        ctx.stream = busy("forward")
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        """Compare the stream."""
        same.append(busy("backward") == ctx.stream)
        return gradient * 2


# %%
# Two branches, each with its own leaf, run in the given streams. Two spans of time overlap
# if each begins before the other ends.


def overlap(spans):
    (begin, end), (other_begin, other_end) = spans
    return begin.elapsed_time(other_end) > 0 and other_begin.elapsed_time(end) > 0


def attempt(streams, called_in):
    for spans in (*noted.values(), same):
        spans.clear()
    leaves = [torch.ones(2**20, device="cuda", requires_grad=True) for _ in streams]
    for leaf in leaves:
        leaf.grad = torch.zeros_like(leaf)  # else, old values may happen to be right
    torch.cuda.synchronize()
    branches = []
    for leaf, stream in zip(leaves, streams):
        with torch.cuda.stream(stream):
            branches.append(Slow.apply(leaf))
    torch.cuda.synchronize()
    loss = (branches[0] + branches[1]).sum()
    called_in.wait_stream(here)
    with torch.cuda.stream(called_in):
        loss.backward()
        right = torch.stack([(leaf.grad == 2).all() for leaf in leaves])
    torch.cuda.synchronize()
    overlaps = [overlap(noted[direction]) for direction in ("forward", "backward")]
    return same == [True, True], *overlaps, bool(right.all())


# %%
# Both branches run in one stream, or each in its own; backward is called in the stream of the
# first branch or in the current stream.

TRIES = 20
CASES = {
    "one stream": ((side, side), here),
    "two streams": ((side, other), here),
    "two streams, called in one": ((side, other), side),
}
rows = []
for name, case in CASES.items():
    attempt(*case)  # not counted: the first launch of a kernel waits
    tries = [attempt(*case) for _ in range(TRIES)]
    counts = map(sum, zip(*tries))
    names = "in_forward_streams", "forward_overlaps", "backward_overlaps", "right"
    rows.append({"case": name, **dict(zip(names, counts))})
    print(rows[-1])

# %%
# Count the tries in which the operations ran in these streams, in which they overlapped, and in
# which the gradients were right where backward was called.

measured = {"tries": TRIES, "by_case": {"table": rows}}
