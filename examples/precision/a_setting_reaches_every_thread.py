"""
A setting reaches every thread
==============================

Does a precision that one thread sets hold for that thread alone? No: the settings belong to the
process. A thread that changes one for a block of code changes the results of all others.
"""

# sphinx_gallery_quiet = "nothing"
from threading import Thread

import torch

a = torch.randn(1024, 1024, device="cuda")
before = a @ a

thread = Thread(target=torch.set_float32_matmul_precision, args=("high",))
thread.start(), thread.join()

print(f"changed: {not torch.equal(before, a @ a)}")
torch.set_float32_matmul_precision("highest")

# %%
# Two threads: one computes, the other sets TF32 for a block of its own and then full FP32
# again. Barriers put every second result into that block.

from threading import Barrier

TRIES = 20
set_now, set_back = Barrier(2), Barrier(2)


def set_for_a_block():
    for _ in range(TRIES):
        torch.set_float32_matmul_precision("high")
        set_now.wait()
        set_back.wait()
        torch.set_float32_matmul_precision("highest")
        set_now.wait()
        set_back.wait()


# %%
# Count the results that changed inside the other thread's block, and after it.

thread = Thread(target=set_for_a_block)
thread.start()
inside = after = 0
for _ in range(TRIES):
    set_now.wait()
    inside += not torch.equal(a @ a, before)
    set_back.wait()
    set_now.wait()
    after += not torch.equal(a @ a, before)
    set_back.wait()
thread.join()
print(f"{inside} of {TRIES} results changed in the block, {after} after it")

# %%
# The backward pass runs in a thread of its own, which sees what the main thread set.

x = a.clone().requires_grad_()
gradients = []
for word in ("highest", "high"):
    torch.set_float32_matmul_precision(word)
    gradients += torch.autograd.grad(x @ a, x, torch.ones_like(a))
torch.set_float32_matmul_precision("highest")

# %%
# Every result in the block changed.

measured = {
    "tries": TRIES,
    "inside_changed": inside,
    "after_changed": after,
    "backward_changed": not torch.equal(*gradients),
}
