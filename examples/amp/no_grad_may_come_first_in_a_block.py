"""
no_grad may come first in a block
=================================

May an autocast block run a model under ``no_grad`` and then train it? Yes, since the cached
weights keep their graph. Older versions lost it.
"""

# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
model = torch.nn.Linear(64, 1).to(device)
inputs = torch.randn(32, 64, device=device)

with torch.autocast(device.type, torch.bfloat16):
    with torch.no_grad():
        baseline = model(inputs)  # casts the weights, and keeps the copies
    loss = (model(inputs) - baseline.roll(1, 0)).square().mean()
loss.backward()
print(f"a gradient: {model.weight.grad is not None}")

# %%
# What may come first? Each model is then trained in the same block, and its gradients are those
# of a model of which nothing was asked before.

from copy import deepcopy

layers = torch.nn.Linear(64, 32), torch.nn.ReLU(), torch.nn.Linear(32, 1)
start = torch.nn.Sequential(*layers).to(device)


def gradients(first=None, dtype=torch.bfloat16):
    model = deepcopy(start)
    with torch.autocast(device.type, dtype):
        if first:
            with first():
                model(inputs)
        loss = model(inputs).square().mean()
    if loss.requires_grad:
        loss.backward()
    return [parameter.grad for parameter in model.parameters()]


def grad_disabled():
    return torch.set_grad_enabled(False)


def agree(found, expected):
    return sum(
        one is not None and torch.equal(one, other)
        for one, other in zip(found, expected)
    )


FIRST = (torch.no_grad, grad_disabled, torch.inference_mode)
same = total = 0
for first in FIRST:
    for dtype in (torch.bfloat16, torch.float16):
        expected = gradients(dtype=dtype)
        agreed = agree(gradients(first, dtype), expected)
        same, total = same + agreed, total + len(expected)
        print(f"{first.__name__}, {dtype}: {agreed} of {len(expected)} gradients")

measured = {
    "has_gradient": model.weight.grad is not None,
    "first": len(FIRST),
    "gradients": total,
    "same": same,
}
