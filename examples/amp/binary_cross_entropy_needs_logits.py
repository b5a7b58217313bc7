"""
Binary cross entropy needs logits
=================================

Why does ``binary_cross_entropy`` raise an error under autocast? In 16 bits, a probability is soon
exactly 1, and its gradient NaN. Use ``binary_cross_entropy_with_logits``, which takes logits.
"""

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
# The same from probabilities: in FP16, in BF16, as a module, from FP32 probabilities, and on the
# CPU. The last two leave autocast, without and with a cast.

from torch.nn.functional import binary_cross_entropy

opening_dtype = str(loss.dtype)
probabilities = logits.detach().sigmoid()
in_bf16 = probabilities.bfloat16()


def block(**options):
    return torch.autocast(device.type, torch.float16, **options)


def in_block(loss_of, given, dtype=torch.float16):
    with torch.autocast(given.device.type, dtype):
        return loss_of(given, targets.to(given.device))


def outside(given):
    with block(), block(enabled=False):
        return binary_cross_entropy(given, targets)


# %%
# Which of them raise an error?

ATTEMPTS = {
    "FP16": lambda: in_block(binary_cross_entropy, probabilities),
    "BF16": lambda: in_block(binary_cross_entropy, in_bf16, torch.bfloat16),
    "module": lambda: in_block(torch.nn.BCELoss(), probabilities),
    "FP32 probabilities": lambda: in_block(binary_cross_entropy, probabilities.float()),
    "CPU": lambda: in_block(binary_cross_entropy, probabilities.cpu()),
    "outside, FP16": lambda: outside(probabilities),
    "outside, cast": lambda: outside(probabilities.float()),
}
raised, attempts = None, []
for name, attempt in ATTEMPTS.items():
    said = ""
    try:
        attempt()
    except RuntimeError as error:
        raised, said = raised or error, str(error).splitlines()[0]
    attempts.append({"given": name, "raised": bool(said), "said": said[:60]})
print(*attempts, sep="\n")

# %%
# How good are the gradients? The target is 0, so the gradient by the logit is its sigmoid. The
# logits are exact in FP16 and BF16, as a layer gives them under autocast.

LOGITS = (0, 4, 8, 12, 16, 20)


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
    "opening_dtype": opening_dtype,
    "raised": raised,
    "attempts": {"table": attempts},
    "by_logit": {"table": rows},
}
