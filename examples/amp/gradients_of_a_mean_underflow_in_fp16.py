"""
Gradients of a mean underflow in FP16
=====================================

When does FP16 need a gradient scaler? The gradient of a mean is divided by the number of outputs.
With millions of them, many gradients are smaller than the smallest number of FP16.
"""

# sphinx_gallery_quiet = "nothing"
import torch

gpu = torch.accelerator.current_accelerator(check_available=True)
device = gpu or torch.device("cpu")
torch.manual_seed(0)
logits = torch.randn(1024, 16384).to(device).requires_grad_()  # tokens, classes
labels = torch.randint(16384, (1024,)).to(device)
loss = torch.nn.functional.cross_entropy(logits, labels)
(gradient,) = torch.autograd.grad(loss, logits)
print(f"zero in FP32: {(gradient == 0).float().mean():.1%}")
print(f"zero in FP16: {(gradient.half() == 0).float().mean():.1%}")
print(f"times 65536:  {((gradient * 65536).half() == 0).float().mean():.1%}")

# %%
# Two losses are means: the cross entropy over 1024 tokens, with more and more classes, and the
# squared error of more and more outputs. Numbers and errors are normally distributed.

TOKENS, SCALE = 1024, 2**16


def cross_entropy(count):
    torch.manual_seed(0)
    logits = torch.randn(TOKENS, count // TOKENS).to(device).requires_grad_()
    labels = torch.randint(count // TOKENS, (TOKENS,)).to(device)
    loss = torch.nn.functional.cross_entropy(logits, labels)
    return torch.autograd.grad(loss, logits)[0]


def squared_error(count):
    torch.manual_seed(0)
    outputs = torch.randn(count).to(device).requires_grad_()
    loss = torch.nn.functional.mse_loss(outputs, torch.zeros(count, device=device))
    return torch.autograd.grad(loss, outputs)[0]


# %%
# Which share of the gradients is zero after a cast, without and with the scale that a scaler begins
# with? None may become infinite.


def share(condition):
    return condition.float().mean().item()


rows = []
for loss in (cross_entropy, squared_error):
    for count in (2**16, 2**20, 2**24):
        gradient = loss(count)
        scaled = (gradient * SCALE).half()
        row = {"case": f"{loss.__name__}, {count}", "outputs": count}
        row["zero_in_fp32_share"] = share(gradient == 0)
        row["zero_in_fp16_share"] = share(gradient.half() == 0)
        row["zero_in_bf16_share"] = share(gradient.bfloat16() == 0)
        row["zero_with_scale_share"] = share(scaled == 0)
        row["infinite_with_scale"] = (~scaled.isfinite()).sum().item()
        rows.append(row)
        print(row)

# %%
# The exponents of the largest gradient of cross entropy, before and after the scale: in each row,
# the share of the gradients from one power of two to the next.

LOWEST, HIGHEST = -34, 8
gradient = cross_entropy(2**24)
histograms = []
for factor in (1, SCALE):
    exponents = torch.frexp((gradient * factor).abs()).exponent - 1
    exponents = exponents.clamp(LOWEST, HIGHEST) - LOWEST
    histograms.append(
        torch.bincount(exponents.flatten(), minlength=HIGHEST - LOWEST + 1)
    )
shares = [(h / gradient.numel()).tolist() for h in histograms]
by_exponent = [
    {"exponent": LOWEST + i, "plain_share": plain, "scaled_share": scaled}
    for i, (plain, scaled) in enumerate(zip(*shares))
]
measured = {
    "tokens": TOKENS,
    "scale": SCALE,
    "by_loss": {"table": rows},
    "by_exponent": {"table": by_exponent},
}
