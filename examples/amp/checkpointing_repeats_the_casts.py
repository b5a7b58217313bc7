"""
Checkpointing repeats the casts
===============================

Does activation checkpointing work under autocast? Yes: it computes again in the state of the
forward pass. It also casts the weights again, and a checkpoint that saves the casts raises if
the cache had spared one.
"""

# sphinx_gallery_quiet = "nothing"
import functools

import torch
from torch.utils.checkpoint import checkpoint, create_selective_checkpoint_contexts

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
layer = torch.nn.Linear(64, 64, device=device)
x = torch.randn(8, 64, device=device)

with torch.autocast(device.type, dtype=torch.bfloat16):
    loss = checkpoint(layer, x, use_reentrant=False).float().square().mean()
loss.backward()  # computes the layer again, in BF16
print(layer.weight.grad.dtype)

# %%
# Two layers, each in a checkpoint of its own, in both variants of checkpointing. Which types
# do their products have, and are the gradients those without checkpoints?

SAVED = [torch.ops.aten._to_copy.default, torch.ops.aten.addmm.default]
SELECTIVE = functools.partial(create_selective_checkpoint_contexts, SAVED)
VARIANTS = {
    "none": None,
    "reentrant": {"use_reentrant": True},
    "not reentrant": {"use_reentrant": False},
    "selective": {"use_reentrant": False, "context_fn": SELECTIVE},
}
torch.manual_seed(0)
layers = [torch.nn.Linear(64, 64, device=device) for _ in range(2)]


def run(parts, variant, dtype=torch.bfloat16, **options):
    types = []

    def part(layer, x):
        product = layer(x)
        types.append(str(product.dtype).removeprefix("torch."))
        return torch.nn.functional.gelu(product)

    leaf = x.clone().requires_grad_()
    hidden, settings = leaf, VARIANTS[variant]
    for layer in parts:
        layer.zero_grad()
    with torch.autocast(device.type, dtype=dtype, **options):
        for layer in parts:
            call = functools.partial(part, layer)
            hidden = (
                call(hidden)
                if settings is None
                else checkpoint(call, hidden, **settings)
            )
    hidden.float().square().mean().backward()
    return types, [leaf.grad, *(p.grad for layer in parts for p in layer.parameters())]


# %%
# The first run is the one without checkpoints.

plain_types, plain = run(layers, "none")
products, same = [], 0
for variant in VARIANTS:
    types, gradients = run(layers, variant)
    agreed = sum(map(torch.equal, plain, gradients))
    if variant != "none":
        products, same = products + types, same + agreed
    print(f"{variant}: {types}, {agreed} of {len(plain)} gradients")

# %%
# Now one layer is used twice. The second use takes its weight from the cache, and computing it
# again has to cast, because the cache ended with the block.


def outcome(variant, **options):
    try:
        run([layers[0], layers[0]], variant, **options)
        return True
    except RuntimeError as failure:
        return RuntimeError(str(failure).splitlines()[0])


measured = {
    "variants": len(VARIANTS) - 1,
    "plain_products": len(plain_types),
    "products": len(products),
    "in_bf16": products.count("bfloat16"),
    "gradients": len(plain) * (len(VARIANTS) - 1),
    "same": same,
    "shared": outcome("not reentrant"),
    "shared_selective": outcome("selective"),
    "shared_selective_uncached": outcome("selective", cache_enabled=False),
}
print(measured)
