"""
Half is not autocast
====================

Should I call ``.half()`` on my model or its inputs? Not for training: weights and gradients are
then in FP16, and Adam may divide by zero. Under autocast, leave both in FP32.
"""

# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
torch.manual_seed(0)
layers = torch.nn.Linear(64, 256), torch.nn.GELU(), torch.nn.Linear(256, 8)
model = torch.nn.Sequential(*layers).to(device)  # no half()
inputs = torch.randn(512, 64, device=device)  # no half()

with torch.autocast(device.type, torch.float16):
    loss = model(inputs).softmax(1).square().mean()
loss.backward()
print(f"weight {model[0].weight.dtype}, gradient {model[0].weight.grad.dtype}")

# %%
# Which types do the weight, its gradient, the logits and their softmax have?

from copy import deepcopy

model.zero_grad()
WAYS = {
    "autocast": {"block": True},
    "autocast, half model": {"block": True, "half_model": True},
    "half": {"half_model": True, "half_inputs": True},
    "half inputs": {"half_inputs": True},
    "half model": {"half_model": True},
}


def fitted(given, half_model=False, half_inputs=False, block=False):
    used = deepcopy(given).half() if half_model else deepcopy(given)
    taken = inputs.half() if half_inputs else inputs
    return used, taken, torch.autocast(device.type, torch.float16, enabled=block)


def types(**options):
    used, taken, block = fitted(model, **options)
    try:
        with block:
            logits = used(taken)
            soft = logits.softmax(1)
        soft.square().mean().backward()
    except RuntimeError as error:
        return error
    weight = used[0].weight
    tensors = weight, weight.grad, logits, soft
    return " ".join(str(t.dtype).removeprefix("torch.float") for t in tensors)


answers = {way: types(**options) for way, options in WAYS.items()}
rows = [{"way": way, "types": str(answer)} for way, answer in answers.items()]
print(*rows, sep="\n")

# %%
# Do half inputs change a result under autocast? Not where the first layer casts its input anyway.
# They do where it does not, and in BF16, whose range is larger.

normed = torch.nn.Sequential(torch.nn.LayerNorm(64), model).to(device)
large = inputs * 1e6
PAIRS = (normed, torch.float16), (model, torch.bfloat16)


def from_both(given, taken, dtype):
    with torch.autocast(device.type, dtype):
        return given(taken), given(taken.half())


same_after_linear = torch.equal(*from_both(model, inputs, torch.float16))
outputs = [from_both(given, large, dtype) for given, dtype in PAIRS]
large_finite = sum(full.isfinite().all().item() for full, _ in outputs)
large_half_finite = sum(half.isfinite().all().item() for _, half in outputs)
print(f"same: {same_after_linear}, finite: {large_finite} and {large_half_finite}")

# %%
# Training with Adam: how many of the steps have a finite loss? The default ``eps`` is 1e-8.

STEPS = 50
wanted = torch.randint(8, (512,), device=device)


def finite_steps(way, **options):
    used, taken, block = fitted(model, **WAYS[way])
    optimizer = torch.optim.Adam(used.parameters(), lr=1e-3, **options)
    losses = []
    for _ in range(STEPS):
        with block:
            loss = torch.nn.functional.cross_entropy(used(taken), wanted)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.detach())
    finite = torch.stack(losses).isfinite().sum().item()
    return {"finite": finite, "learned": bool(losses[-1] < losses[0])}


TRAINED = "autocast", "half", "autocast, half model"
trained = [{"way": way, **finite_steps(way)} for way in TRAINED]
trained.append({"way": "half, fused", **finite_steps("half", fused=True)})
trained.append({"way": "half, larger eps", **finite_steps("half", eps=1e-4)})
print(*trained, sep="\n")

measured = {
    "by_way": {"table": rows},
    "half_inputs": answers["half inputs"],
    "half_model": answers["half model"],
    "same_after_linear": same_after_linear,
    "large": len(PAIRS),
    "large_finite": large_finite,
    "large_half_finite": large_half_finite,
    "steps": STEPS,
    "by_training": {"table": trained},
}
