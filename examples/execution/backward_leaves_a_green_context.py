"""
Backward leaves a green context
===============================

May I run a backward pass inside a green context? No: backward runs in threads of its own, for
which the context was not set, so that it does not wait for the context's work, and the gradients
are wrong. A forward pass inside, and a backward pass after ``pop_context()``, are right.
"""

# sphinx_gallery_evidence = {"expected_warnings": ["`GreenContext"]}
import torch
from torch.cuda import GreenContext

x = torch.ones(2**20, device="cuda", requires_grad=True)
w = torch.full((2**20,), 3.0, device="cuda")
part = GreenContext.create(num_sms=16, device_id=0)
part.set_context()
loss = (w * x).sum()
part.pop_context()  # before backward
loss.backward()
print(x.grad.unique().item())

# %%
# The factor is written behind a kernel that only sleeps, so a backward pass that does not wait
# reads its old value. (``_sleep`` is private to PyTorch.)

HOLD, TRIES = 20_000_000, 15  # cycles: about ten milliseconds
inside = {"set": part.set_context, "pop": part.pop_context}
nowhere = {"set": lambda: None, "pop": lambda: None}


def is_wrong(context, backward_inside):
    x.grad = torch.zeros_like(x)
    w.zero_()
    torch.cuda.synchronize()
    context["set"]()
    torch.cuda._sleep(HOLD)
    w.fill_(3)
    loss = (w * x).sum()
    if backward_inside:
        loss.backward()
    context["pop"]()
    if not backward_inside:
        loss.backward()
    torch.cuda.synchronize()
    return bool((x.grad != 3).any())


# %%
# The same program without a green context is the control.

CASES = {
    "inside": (inside, True),
    "after": (inside, False),
    "without": (nowhere, True),
}
wrong = {}
for name, case in CASES.items():
    is_wrong(*case)  # not counted: the first launch of a kernel may wait
    wrong[name] = sum(is_wrong(*case) for _ in range(TRIES))
    print(f"backward {name} a green context: {wrong[name]} of {TRIES} gradients wrong")

measured = {"tries": TRIES} | {f"wrong_{name}": count for name, count in wrong.items()}
