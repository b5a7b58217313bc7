"""
A dropped gradient returns to its forward
=========================================

May I drop a gradient as soon as I have queued its use? Its memory belongs to the stream of the
forward pass, even if backward was called in another one. The forward's stream may hand it out
again while the other stream has yet to read the gradient, unless it waits for that stream.
"""

import torch

here, side = torch.cuda.current_stream(), torch.cuda.Stream()
x = torch.ones(2**20, device="cuda", requires_grad=True)
side.wait_stream(here)
with torch.cuda.stream(side):
    loss = (3 * x).sum()
here.wait_stream(side)
loss.backward()
total = x.grad.sum()
side.wait_stream(here)  # before the gradient is dropped, and side makes the next tensor
x.grad = loss = None
print(total.item())

# %%
# The use of the gradient is queued behind a kernel that only sleeps. Then the gradient is dropped,
# and the forward's stream makes new tensors. (``_sleep`` is private to PyTorch.)

HOLD, TRIES, COUNT = 20_000_000, 15, 2**20  # cycles: about ten milliseconds


def unprotected(_):
    pass


def awaited(_):
    side.wait_stream(here)


def recorded(gradient):
    gradient.record_stream(here)


def attempt(forward, entry="backward", protect=unprotected, earlier=False, graph=False):
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    x = torch.ones(COUNT, device="cuda", requires_grad=True)
    if earlier:
        (3 * x).sum().backward()
    torch.cuda.synchronize()
    with torch.cuda.stream(forward):
        loss = (3 * x).sum()
    here.wait_stream(side)
    if entry == "backward":
        loss.backward(create_graph=graph)
        gradient = x.grad.detach()
    else:
        (gradient,) = torch.autograd.grad(loss, x)
    torch.cuda._sleep(HOLD)
    total = gradient.sum()
    address = gradient.data_ptr()  # to see whether it is used again
    protect(gradient)  # does nothing in the wrong form
    x.grad = gradient = loss = None
    with torch.cuda.stream(side):
        new = [torch.full((COUNT,), 7.0, device="cuda") for _ in range(3)]
    reused = address in [tensor.data_ptr() for tensor in new]
    torch.cuda.synchronize()
    return reused, total.item() != (6 if earlier else 3) * COUNT


# %%
# With the wait, the memory is used again, too, but only after it has been read. The memory belongs
# to the stream that uses the gradient if forward ran there, or made an earlier gradient there. With
# ``create_graph=True``, the sum is a new tensor, and PyTorch warns that it may leak.

import warnings

warnings.simplefilter("ignore")
CASES = {
    "side": (side,),
    "side, autograd.grad": (side, "grad"),
    "side, wait": (side, "backward", awaited),
    "side, record": (side, "backward", recorded),
    "side, added to an earlier one": (side, "backward", unprotected, True),
    "side, added with create_graph": (side, "backward", unprotected, True, True),
    "current": (here,),
}
rows = []
for name, case in CASES.items():
    attempt(*case)  # not counted: the first launch of a kernel may wait
    reused, wrong = map(sum, zip(*(attempt(*case) for _ in range(TRIES)), strict=True))
    rows.append({"forward": name, "reused": reused, "wrong": wrong})
    print(rows[-1])

measured = {"tries": TRIES, "by_forward": {"table": rows}}
