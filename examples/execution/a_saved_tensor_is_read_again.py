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
# The current stream makes the input, and the model runs in a side stream: three ways to delete the
# input. Without a backward pass, all of them are right.

SIZE = 2048  # of a square matrix: 16 MiB, which get a block of their own


def forward_awaited(model):
    x = torch.ones(SIZE, SIZE, device="cuda")
    side.wait_stream(here)
    with torch.cuda.stream(side):
        loss = model(x)
    here.wait_stream(side)
    del x
    with torch.cuda.stream(side):
        loss.backward()


def recorded(model):
    x = torch.ones(SIZE, SIZE, device="cuda")
    side.wait_stream(here)
    with torch.cuda.stream(side):
        loss = model(x)
    x.record_stream(side)
    del x
    with torch.cuda.stream(side):
        loss.backward()


def backward_awaited(model):
    x = torch.ones(SIZE, SIZE, device="cuda")
    side.wait_stream(here)
    with torch.cuda.stream(side):
        loss = model(x)
        loss.backward()
    here.wait_stream(side)
    del x


# %%
# The model is a product or a matmul with a weight, and both save the input. What backward does
# first in the side stream takes long: a hook launches a kernel that only sleeps. (``_sleep`` is
# private to PyTorch and may change.) Afterwards, the current stream makes a tensor.

TRIES, HOLD = 15, 40_000_000  # cycles: some tens of milliseconds
RIGHT = {torch.mul: 1, torch.matmul: SIZE}  # the gradients of weights of ones


def is_wrong(way, operation):
    torch.cuda.synchronize()
    weight = torch.ones(SIZE, SIZE, device="cuda", requires_grad=True)
    torch.cuda.synchronize()
    torch.cuda.empty_cache()

    def model(x):
        loss = operation(weight, x).sum()
        loss.register_hook(lambda _: torch.cuda._sleep(HOLD))
        return loss

    way(model)
    torch.full((SIZE, SIZE), 7.0, device="cuda")
    torch.cuda.synchronize()
    return not bool((weight.grad == RIGHT[operation]).all())


rows = []
for way in (forward_awaited, recorded, backward_awaited):
    rows.append({"way": way.__name__})
    for operation in RIGHT:
        is_wrong(way, operation)  # not counted: the first launch of a kernel may wait
        count = sum(is_wrong(way, operation) for _ in range(TRIES))
        rows[-1][f"{operation.__name__}_wrong"] = count  # mul_wrong and matmul_wrong
    print(rows[-1])

measured = {"tries": TRIES, "by_way": {"table": rows}}
