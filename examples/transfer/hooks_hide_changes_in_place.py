"""
Hooks hide changes in place
===========================

What if a saved tensor is changed before backward? Autograd normally raises an error.
With hooks on saved tensors, it does not check: the copy that ``save_on_cpu`` made still
gives the right gradient, and a hook that keeps the tensor itself gives a wrong one.
"""

# sphinx_gallery_quiet = "nothing"
from contextlib import nullcontext

import torch
from torch.autograd.graph import save_on_cpu, saved_tensors_hooks

# %%
# The gradient of a product is the other factor, as it was in the forward pass.

FACTOR, CHANGED = 3.0, 7.0


def gradient(context):
    weight = torch.ones((), device="cuda", requires_grad=True)
    factor = torch.full((), FACTOR, device="cuda")
    with context:
        product = weight * factor
    factor.fill_(CHANGED)
    product.backward()
    return weight.grad.item()


# %%
# Without hooks, autograd compares version numbers and raises an error.

try:
    refused = gradient(nullcontext())
except RuntimeError as error:
    refused = error
print(f"without hooks: {refused}")

# %%
# The hooks of ``save_on_cpu`` make a copy. A hook that returns the tensor that it gets,
# for example to leave small tensors on the GPU, makes none.

copied = gradient(save_on_cpu(pin_memory=True))
kept = gradient(saved_tensors_hooks(lambda tensor: tensor, lambda tensor: tensor))
print(f"right: {FACTOR}; save_on_cpu: {copied}; a hook that keeps it: {kept}")

# %%
# The gradients here are plain, exact numbers.

measured = {"right": FACTOR, "refused": refused, "copied": copied, "kept": kept}
