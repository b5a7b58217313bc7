"""
no_grad may come first in a block
=================================

May an autocast block run a model under ``no_grad`` and then train it? Yes, since the cached
weights keep their graph. Older versions lost it. Two types may not share a block.
"""

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


rows = []
for first in (torch.no_grad, grad_disabled, torch.inference_mode):
    row = {"first": first.__name__}
    for name, dtype in {"bf16": torch.bfloat16, "fp16": torch.float16}.items():
        row[name] = agree(gradients(first, dtype), gradients(dtype=dtype))
    rows.append(row)
print(*rows, sep="\n")

# %%
# The cache does not ask for the type. In a nested block of another type, a layer that has been
# used in the outer one gets its weights in the outer type.


def nested(outer, inner, **options):
    model = deepcopy(start)
    try:
        with torch.autocast(device.type, outer):
            model(inputs)
            with torch.autocast(device.type, inner, **options):
                return str(model(inputs).dtype)
    except RuntimeError as error:
        return error


def clearing():
    model = deepcopy(start)
    with torch.autocast(device.type, torch.bfloat16):
        model(inputs)
        torch.clear_autocast_cache()
        with torch.autocast(device.type, torch.float16):
            return str(model(inputs).dtype)


BF16, FP16 = torch.bfloat16, torch.float16
fp16_in_bf16, bf16_in_fp16 = nested(BF16, FP16), nested(FP16, BF16)
same = nested(BF16, BF16)
without_a_cache = nested(BF16, FP16, cache_enabled=False)
print(repr(fp16_in_bf16), repr(bf16_in_fp16), same, without_a_cache, clearing())

measured = {
    "opening_has_gradient": model.weight.grad is not None,
    "by_first": {"table": rows},
    "parameters": len([*start.parameters()]),
    "fp16_in_bf16": fp16_in_bf16,
    "bf16_in_fp16": type(bf16_in_fp16).__name__,
    "same_type": same,
    "without_a_cache": without_a_cache,
    "after_clearing": clearing(),
}
