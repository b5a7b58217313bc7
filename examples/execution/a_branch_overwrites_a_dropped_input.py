"""
A branch overwrites a dropped input
===================================

May I delete the input of a branch that ran in a side stream, once the current stream has waited
for it? Backward reads the input again, and makes the gradient of another branch in its memory.
Record the input for the side stream, or keep it until backward is called.
"""

import torch

here, side = torch.cuda.current_stream(), torch.cuda.Stream()
w, other = (torch.ones(2**22, device="cuda", requires_grad=True) for _ in "ab")
x = torch.ones(2**22, device="cuda")
part = other.exp().sum()
side.wait_stream(here)
with torch.cuda.stream(side):
    part_aside = (w * x).sum()
here.wait_stream(side)
x.record_stream(side)  # backward reads x again, in side
del x
(part + part_aside).backward()
print(w.grad.mean().item())

# %%
# A model with its weight runs in the side stream, and an ``exp`` in the current one, which has made
# the input. Three ways to delete the input: at once, recorded, or after backward.

SIZE = 2048  # of a square matrix: 16 MiB, which get a block of their own


def deleted_at_once(model, other):
    x = torch.ones(SIZE, SIZE, device="cuda")
    part = other.exp().sum()
    side.wait_stream(here)
    with torch.cuda.stream(side):
        part_aside = model(x)
    here.wait_stream(side)
    del x
    (part + part_aside).backward()


def deleted_recorded(model, other):
    x = torch.ones(SIZE, SIZE, device="cuda")
    part = other.exp().sum()
    side.wait_stream(here)
    with torch.cuda.stream(side):
        part_aside = model(x)
    here.wait_stream(side)
    x.record_stream(side)
    del x
    (part + part_aside).backward()


def deleted_after_backward(model, other):
    x = torch.ones(SIZE, SIZE, device="cuda")
    part = other.exp().sum()
    side.wait_stream(here)
    with torch.cuda.stream(side):
        part_aside = model(x)
    here.wait_stream(side)
    (part + part_aside).backward()
    del x


# %%
# The model is a product or a matmul, and both save the input. What backward does first in the side
# stream takes long: a hook launches a kernel that only sleeps. (``_sleep`` is private to PyTorch
# and may change.)

TRIES, HOLD = 15, 40_000_000  # cycles: some tens of milliseconds
RIGHT = {torch.mul: 1, torch.matmul: SIZE}  # the gradients of weights of ones


def is_wrong(way, operation):
    torch.cuda.synchronize()
    weight, other = (
        torch.ones(SIZE, SIZE, device="cuda", requires_grad=True) for _ in "ab"
    )
    torch.cuda.synchronize()
    torch.cuda.empty_cache()

    def model(x):
        loss = operation(weight, x).sum()
        loss.register_hook(lambda _: torch.cuda._sleep(HOLD))
        return loss

    way(model, other)
    torch.full((SIZE, SIZE), 7.0, device="cuda")
    torch.cuda.synchronize()
    return not bool((weight.grad == RIGHT[operation]).all())


rows = []
for way in (deleted_at_once, deleted_recorded, deleted_after_backward):
    rows.append({"way": way.__name__})
    for operation in RIGHT:
        is_wrong(way, operation)  # not counted: the first launch of a kernel may wait
        count = sum(is_wrong(way, operation) for _ in range(TRIES))
        rows[-1][f"{operation.__name__}_wrong"] = count  # mul_wrong and matmul_wrong
    print(rows[-1])

measured = {"tries": TRIES, "by_way": {"table": rows}}
