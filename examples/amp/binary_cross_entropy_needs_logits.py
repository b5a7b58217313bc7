"""
Binary cross entropy needs logits
=================================

Why does ``binary_cross_entropy`` raise an error under autocast? In 16 bits, a probability is soon
exactly 1, and its gradient NaN or 0. Use ``binary_cross_entropy_with_logits``, which takes logits.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.nn.functional import binary_cross_entropy_with_logits

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
model = torch.nn.Linear(64, 1).to(device)
inputs = torch.randn(32, 64, device=device)
targets = torch.rand(32, 1, device=device).round()

with torch.autocast(device.type, torch.float16):
    logits = model(inputs)  # no sigmoid
    loss = binary_cross_entropy_with_logits(logits, targets)
print(f"logits in {logits.dtype}, loss in {loss.dtype}")

# %%
# The same from probabilities: in FP16, in BF16, as a module, and from FP32 probabilities.

from torch.nn.functional import binary_cross_entropy

probabilities = logits.detach().sigmoid()
ATTEMPTS = {
    "FP16": (binary_cross_entropy, probabilities, torch.float16),
    "BF16": (binary_cross_entropy, probabilities.bfloat16(), torch.bfloat16),
    "module": (torch.nn.BCELoss(), probabilities, torch.float16),
    "FP32 probabilities": (binary_cross_entropy, probabilities.float(), torch.float16),
}
messages = []
for name, (loss_of, given, dtype) in ATTEMPTS.items():
    try:
        with torch.autocast(device.type, dtype):
            print(f"{name}: {loss_of(given, targets).item()}")
    except RuntimeError as error:
        messages.append(error)
        print(f"{name}: {str(error).splitlines()[0]}")

# %%
# How good are the gradients? The target is 0, so the gradient by the logit is its sigmoid. The
# logits are exact in FP16 and BF16, as a layer gives them under autocast.

LOGITS = (0, 4, 8, 12, 16, 20)


def block(**options):
    return torch.autocast(device.type, torch.float16, **options)


def by_cast_probability(logit, target):
    with block(enabled=False):
        return binary_cross_entropy(logit.sigmoid().float(), target)


def by_fp32_sigmoid(logit, target):
    with block(enabled=False):
        return binary_cross_entropy(logit.float().sigmoid(), target)


def by_logit(logit, target):
    with block():
        return binary_cross_entropy_with_logits(logit, target)


def gradient(way, value, dtype):
    leaf = torch.tensor([float(value)], device=device, requires_grad=True)
    way(leaf.to(dtype), torch.zeros(1, device=device)).backward()
    return leaf.grad.item()


def verdict(way, value, dtype):
    found = gradient(way, value, dtype)
    true = torch.tensor(value, dtype=torch.float64).sigmoid().item()
    if found != found:
        return "NaN"
    return "right" if abs(found - true) <= 0.01 * true else f"{found:.2g}"


rows = []
for value in LOGITS:
    row = {"logit": value}
    for name, dtype in {"fp16": torch.float16, "bf16": torch.bfloat16}.items():
        for way in (by_cast_probability, by_fp32_sigmoid, by_logit):
            row[f"{name}_{way.__name__}"] = verdict(way, value, dtype)
    rows.append(row)
print(*rows, sep="\n")

measured = {
    "loss_dtype": str(loss.dtype).removeprefix("torch."),
    "attempts": len(ATTEMPTS),
    "raised": sum("unsafe to autocast" in str(error) for error in messages),
    "message": messages[0] if messages else "none",
    "by_logit": {"table": rows},
}
