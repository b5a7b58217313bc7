"""
A norm outside of autocast needs fitting weights
================================================

How does LayerNorm keep BF16 within a BF16 block? Turn autocast off around it, and cast its weights:
if they stay FP32, the norm refuses the mixture.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch import nn

gpu = torch.accelerator.current_accelerator(check_available=True)
device = gpu or torch.device("cpu")
torch.manual_seed(0)
norm = nn.LayerNorm(512).to(device)  # its weights are FP32
nn.init.normal_(norm.weight, 1, 0.1)
x = torch.randn(1024, 512).to(device, torch.bfloat16).requires_grad_()
with torch.autocast(device.type, torch.bfloat16):
    with torch.autocast(device.type, enabled=False):
        weight, bias = norm.weight.to(x.dtype), norm.bias.to(x.dtype)
        kept = nn.functional.layer_norm(x, (512,), weight, bias, norm.eps)
    kept.float().square().sum().backward()
print(kept.dtype, x.grad.dtype, norm.weight.grad.dtype)

# %%
# The same norm and the same tensor, with the weights as they are.

refusal = "none"
try:
    block = torch.autocast(device.type, torch.bfloat16)
    with block, torch.autocast(device.type, enabled=False):
        refused = norm(x)
except RuntimeError as error:
    refusal = error
print(refusal)

# %%
# How far is each form from FP64, with gradients? The other form is the norm in the block, where it
# computes in FP32; its result is rounded as the next layer would round it.

direction = torch.randn(1024, 512).to(device, torch.bfloat16)


def results(form, given=x):
    given = given.detach().requires_grad_()
    result = form(given)
    weights = norm.weight, norm.bias
    gradients = torch.autograd.grad(result, (given, *weights), direction.to(result))
    return [tensor.double() for tensor in (result, *gradients)]


def fitting(x):
    weight, bias = norm.weight.to(x.dtype), norm.bias.to(x.dtype)
    return nn.functional.layer_norm(x, (512,), weight, bias, norm.eps)


def in_the_block(x):
    with torch.autocast(device.type, torch.bfloat16):
        return norm(x).bfloat16()


def in_fp64(x):
    weight, bias = norm.weight.double(), norm.bias.double()
    return nn.functional.layer_norm(x, (512,), weight, bias, norm.eps)


exact = results(in_fp64, x.double())
rows = []
for name, form in {"in its input's type": fitting, "in FP32": in_the_block}.items():
    row = {"norm": name}
    for part, found, true in zip(("result", "x", "weight"), results(form), exact):
        row[f"{part}_error_share"] = ((found - true).norm() / true.norm()).item()
    rows.append(row)
    print(row)
measured = {
    "result": str(kept.dtype).removeprefix("torch."),
    "weight_gradient": str(norm.weight.grad.dtype).removeprefix("torch."),
    "refusal": refusal,
    "by_form": {"table": rows},
}
