"""
Backward inside the block ignores disabled regions
==================================================

Should ``backward()`` stand inside the autocast block? No: a region that disables autocast to
compute in FP32 would have its backward pass cast to 16 bits all the same. Behind the block,
backward runs in the types of forward.
"""

# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
layer = torch.nn.Linear(64, 64, device=device)
exact = torch.randn(64, 64, device=device, requires_grad=True)
x = torch.randn(64, 64, device=device)

with torch.autocast(device.type, dtype=torch.bfloat16):
    hidden = layer(x)
    with torch.autocast(device.type, enabled=False):
        loss = (hidden.float() @ exact).square().mean()
loss.backward()  # after the block
print(loss.dtype, exact.grad.dtype, layer.weight.grad.dtype)

# %%
# The gradient of the product in FP32, against one in FP64. The hidden values are given, so that
# nothing else is rounded.

BIG = 65536.0  # what a gradient scaler multiplies the loss with at first
given = torch.randn(64, 64, device=device)


def gradient(inside, dtype=torch.bfloat16, scale=1.0):
    weight = exact.detach().clone().requires_grad_()
    with torch.autocast(device.type, dtype=dtype):
        with torch.autocast(device.type, enabled=False):
            loss = (given @ weight).square().sum() * scale
        if inside:
            loss.backward()
    if not inside:
        loss.backward()
    return weight.grad


def error(found):
    weight = exact.detach().double().requires_grad_()
    (given.double() @ weight).square().sum().backward()
    return ((found.double() - weight.grad).norm() / weight.grad.norm()).item()


outside_error, inside_error = error(gradient(False)), error(gradient(True))
print(f"error behind the block {outside_error:.1e}, inside {inside_error:.1e}")

# %%
# In FP16 with a scaled loss, the gradient inside the block overflows.

overflowed_inside = (~gradient(True, torch.float16, BIG).isfinite()).sum().item()
overflowed_outside = (~gradient(False, torch.float16, BIG).isfinite()).sum().item()
print(f"not finite: {overflowed_inside} inside, {overflowed_outside} behind the block")

# %%
# An ordinary model has no such region. Do its gradients depend on where backward stands? The
# second one computes distances, which autocast runs in FP32.

model = torch.nn.Sequential(
    torch.nn.Linear(64, 128), torch.nn.GELU(), torch.nn.Linear(128, 10)
).to(device)
target = torch.arange(64, device=device) % 10


def distances(x):
    return -torch.cdist(x, exact[:10])


def gradients(inside, run=model, weights=None):
    weights = weights or list(model.parameters())
    with torch.autocast(device.type, dtype=torch.bfloat16):
        loss = torch.nn.functional.cross_entropy(run(x), target)
        if inside:
            return torch.autograd.grad(loss, weights)
    return torch.autograd.grad(loss, weights)


same = sum(map(torch.equal, gradients(inside=True), gradients(inside=False)))
print(f"the same bits: {same} of {len([*model.parameters()])} gradients")
(near,), (right,) = (gradients(inside, distances, [exact]) for inside in (True, False))
distances_off_share = ((near - right).norm() / right.norm()).item()
print(f"distances: {distances_off_share:.1e} off")

# %%
# Each gradient has the type of its tensor: 16 bits behind a product, FP32 at a weight.


def types_of_gradients():
    seen = []

    def keep(_, __, output):
        name = str(output.dtype).removeprefix("torch.")
        output.register_hook(lambda g: seen.append((name, str(g.dtype)[6:])))

    for part in model:
        part.register_forward_hook(keep)
    return gradients(inside=False), seen


weight_gradients, seen = types_of_gradients()
measured = {
    "outside_error": outside_error,
    "inside_error": inside_error,
    "elements": exact.numel(),
    "overflowed_inside": overflowed_inside,
    "overflowed_outside": overflowed_outside,
    "parameters": len([*model.parameters()]),
    "same": same,
    "distances_off_share": distances_off_share,
    "outputs": len(seen),
    "in_16_bits": sum(both == ("bfloat16", "bfloat16") for both in seen),
    "weights_in_full": sum(g.dtype is torch.float32 for g in weight_gradients),
}
