"""
A first gradient that is copied is stale
========================================

With an old graph kept, is a first gradient of a product right without a wait? Only if the node can
take it over. With a transposed or channels_last weight, with ``create_graph=True``, or if a hook
keeps the gradient, the node copies it in its old stream. Let your stream wait for that one.
"""

import warnings

import torch

torch.autograd.graph.set_warn_on_accumulate_grad_stream_mismatch(False)  # it is meant
here, side = torch.cuda.current_stream(), torch.cuda.Stream()
weight = torch.ones(512, 2048, device="cuda").t().requires_grad_()  # transposed
factors = torch.full(weight.shape, 3.0, device="cuda")
side.wait_stream(here)
with torch.cuda.stream(side):
    kept = weight * 1  # its graph keeps the node of the weight in the side stream
loss = (factors * weight).sum()
side.wait_stream(here)
with torch.cuda.stream(side):
    loss.backward()
here.wait_stream(
    side
)  # needed, because the node copied the gradient in the side stream
print(weight.grad.mean().item())

# %%
# Four kinds of passes after which something else than the node holds the gradient, or its layout is
# not that of the weight, next to one whose gradient the node takes over. With
# ``create_graph=True``, PyTorch warns that gradients may leak; here, each is dropped.

warnings.filterwarnings("ignore", message="Using backward")
HOLD, TRIES, held = 20_000_000, 10, []  # cycles: about ten milliseconds


def weight_of(kind):
    if kind == "transposed":
        return torch.ones(512, 2048, device="cuda").t()
    if kind == "channels_last":
        ones = torch.ones(64, 64, 16, 16, device="cuda")
        return ones.to(memory_format=torch.channels_last)
    return torch.ones(2048, 512, device="cuda")


# %%
# Forward runs in the current stream, and backward is called in the side stream, which is held by a
# kernel that only sleeps. (``_sleep`` is private to PyTorch and may change.) The current stream
# reads the gradient at once, or after a wait. The factors differ from try to try, so that old
# memory does not hold the right number by chance.


def attempt(kind, waits, turn):
    weight, factor = weight_of(kind).requires_grad_(), 3.0 + turn
    factors = torch.full(weight.shape, factor, device="cuda")
    if kind == "hook":
        weight.register_hook(held.append)
    torch.cuda.synchronize()
    with torch.cuda.stream(side):
        kept = weight * 1
    loss = (factors * weight).sum()
    torch.cuda.synchronize()
    with torch.cuda.stream(side):
        torch.cuda._sleep(HOLD)
        loss.backward(create_graph=kind == "create_graph")
    if waits:
        here.wait_stream(side)
    used = weight.grad.detach().clone()
    torch.cuda.synchronize()
    right = [(g == factor).all().item() for g in (used, weight.grad.detach())]
    weight.grad = None
    held.clear()
    del kept
    return right


# %%
# In how many tries was the gradient right when it was read, and in the end?

rows = []
for kind in ("contiguous", "transposed", "channels_last", "create_graph", "hook"):
    row = {"kind": kind}
    for way, waits in {"at_once": False, "after_waiting": True}.items():
        attempt(kind, waits, TRIES)  # not counted: the first launch of a kernel waits
        tries = [attempt(kind, waits, turn) for turn in range(TRIES)]
        row[f"right_{way}"], in_the_end = map(sum, zip(*tries))
        row["right_in_the_end"] = min(row.get("right_in_the_end", TRIES), in_the_end)
    rows.append(row)
    print(row)

measured = {"tries": TRIES, "by_kind": {"table": rows}}
