"""
A saved tensor is read again
============================

May I delete an input once the stream that made it has waited for the forward pass? Autograd keeps
the input, reads it once more in backward, and then gives its memory back to that stream, without
a wait. Record the input for the stream of the pass, or keep it until backward has been awaited.
"""

import torch

here, side = torch.cuda.current_stream(), torch.cuda.Stream()
w = torch.ones(2**22, device="cuda", requires_grad=True)
x = torch.ones(2**22, device="cuda")
side.wait_stream(here)
with torch.cuda.stream(side):
    loss = (w * x).sum()
x.record_stream(side)  # for its use in backward, too
del x
with torch.cuda.stream(side):
    loss.backward()
here.wait_stream(side)
print(w.grad.mean().item())

# %%
# The current stream makes the input, and a side stream runs forward, and backward behind a kernel
# that only sleeps. (``_sleep`` is private to PyTorch and may change.)

SIZE, TRIES, HOLD = 2048, 15, 40_000_000  # 16 MiB; cycles: some tens of milliseconds
RIGHT = {torch.mul: 1, torch.matmul: SIZE}  # the gradients of weights of ones


def make():
    return torch.ones(SIZE, SIZE, device="cuda")


def forward(operation, weight, x):
    side.wait_stream(here)
    with torch.cuda.stream(side):
        return operation(weight, x).sum()


def backward(loss, called_in=side):
    with torch.cuda.stream(side):
        torch.cuda._sleep(HOLD)
    with torch.cuda.stream(called_in):
        loss.backward()


# %%
# Three ways to delete the input. Without a backward pass, all of them are right.


def forward_awaited(operation, weight):
    x = make()
    loss = forward(operation, weight, x)
    here.wait_stream(side)
    del x
    backward(loss)


def recorded(operation, weight):
    x = make()
    loss = forward(operation, weight, x)
    x.record_stream(side)
    del x
    backward(loss)


def backward_awaited(operation, weight):
    x = make()
    backward(forward(operation, weight, x))
    here.wait_stream(side)
    del x


# %%
# Or a second branch of the pass runs in the current stream, where backward makes its gradient.


def branches(operation, weight, record=False):
    x, other = make(), make().requires_grad_()
    total = other.exp().sum()
    total_aside = forward(operation, weight, x)  # in side
    here.wait_stream(side)
    if record:  # the right form
        x.record_stream(side)  # backward reads x again
    del x
    backward(total + total_aside, called_in=here)


def branches_recorded(operation, weight):
    branches(operation, weight, record=True)


# %%
# Afterwards, the current stream makes a tensor. Is the gradient right? Both operations save x.


def is_wrong(way, operation):
    torch.cuda.synchronize()
    weight = make().requires_grad_()
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    way(operation, weight)
    torch.full((SIZE, SIZE), 7.0, device="cuda")
    torch.cuda.synchronize()
    return not bool((weight.grad == RIGHT[operation]).all())


rows = []
for way in (forward_awaited, recorded, backward_awaited, branches, branches_recorded):
    rows.append({"way": way.__name__})
    for operation in RIGHT:
        is_wrong(way, operation)  # not counted: the first launch of a kernel may wait
        count = sum(is_wrong(way, operation) for _ in range(TRIES))
        rows[-1][f"{operation.__name__}_wrong"] = count  # mul_wrong and matmul_wrong
    print(rows[-1])

measured = {"tries": TRIES, "by_way": {"table": rows}}
