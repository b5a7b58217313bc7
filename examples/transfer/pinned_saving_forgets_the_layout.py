"""
Pinned saving forgets the layout
================================

Are the gradients the same with ``save_on_cpu``? They are bitwise identical only if the
same kernels run. With pinned memory, a transposed weight comes back contiguous, and
cuBLAS may choose another kernel for it: the result then differs by rounding.
"""

# sphinx_gallery_quiet = "nothing"
from contextlib import nullcontext

import torch
from torch.autograd.graph import save_on_cpu

# %%
# What comes back when a linear layer saves its transposed weight? The context manager's
# hooks can be called directly.

weight = torch.rand(512, 256, device="cuda")


def strides(**options):
    hooks = save_on_cpu(**options)
    return str(hooks.unpack_hook(hooks.pack_hook(weight.t())).stride())


saved = str(weight.t().stride())
pageable_back, pinned_back = strides(), strides(pin_memory=True)
print(f"strides: {saved}; back {pageable_back}, from pinned memory {pinned_back}")

# %%
# Use one network, and batches of different sizes.

torch.manual_seed(0)
LAYERS, WIDTH, BATCHES = 8, 2048, (256, 512, 1024, 2048)
pairs = [(torch.nn.Linear(WIDTH, WIDTH), torch.nn.ReLU()) for _ in range(LAYERS)]
net = torch.nn.Sequential(*(module for pair in pairs for module in pair)).cuda()


def gradients(context, batch):
    net.zero_grad()
    with context:
        loss = net(batch).square().mean()
    loss.backward()
    return [parameter.grad for parameter in net.parameters()]


# %%
# Do the gradients match those of the plain step, exactly or nearly? A plain step is
# compared with another plain step as well.

WAYS = {
    "plain": nullcontext,
    "pageable": save_on_cpu,
    "pinned": lambda: save_on_cpu(pin_memory=True),
}


def close(got, right):
    return bool((got - right).abs().max() <= 1e-4 * right.abs().max())


# %%
# Try each variant at each batch size.

rows = []
for size in BATCHES:
    batch = torch.rand(size, WIDTH, device="cuda")
    right = gradients(nullcontext(), batch)
    row = {"batch": size}
    for way, context in WAYS.items():
        got = gradients(context(), batch)
        row[f"{way}_same"] = all(map(torch.equal, got, right))
        row[f"{way}_close"] = all(map(close, got, right))
    rows.append(row)
    print(row)

# %%
# At how many batch sizes are the gradients the same?

measured = {"saved_strides": saved, "sizes": len(rows)}
measured |= {"pageable_strides": pageable_back, "pinned_strides": pinned_back}
for name in list(rows[0])[1:]:
    measured[name] = sum(row[name] for row in rows)
