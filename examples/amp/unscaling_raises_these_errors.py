"""
Unscaling raises these errors
=============================

What does an error of ``unscale_`` mean? Either a step was left out, which the scaler does by
itself, or the parameters have a 16-bit type, which autocast does not need.
"""

# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
FP16, BF16, FP32 = torch.float16, torch.bfloat16, torch.float32


def start(dtype=FP32, enabled=True):
    model = torch.nn.Linear(16, 1).to(device, dtype)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    return model, optimizer, torch.amp.GradScaler(device.type, enabled=enabled)


def backward(model, scaler, x=0.5, dtype=FP16):
    with torch.autocast(device.type, dtype):
        loss = model(torch.full((4, 16), x, device=device)).float().mean() / 8
    scaler.scale(loss).backward()


# %%
# The first of these steps has infinite gradients. It may be left out, but only by the scaler:
# otherwise, the scale does not fall, and the next step raises an error.


def step_if_finite(model, optimizer, scaler):
    for x in (1e4, 0.5):
        backward(model, scaler, x)
        scaler.unscale_(optimizer)
        if model.weight.grad.isfinite().all():
            scaler.step(optimizer)
            scaler.update()
        optimizer.zero_grad()


def step_always(model, optimizer, scaler):
    for x in (1e4, 0.5):
        backward(model, scaler, x)
        scaler.unscale_(optimizer)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()


# %%
# One step works with parameters in FP32, also beside frozen ones in FP16. The outcome is an error,
# or whether the weights have changed and are finite.


def one_step(model, optimizer, scaler, dtype=FP16):
    backward(model, scaler, dtype=dtype)
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()


def beside_frozen_fp16(model, optimizer, scaler):
    frozen = torch.nn.Linear(16, 16).to(device, FP16).requires_grad_(False)
    one_step(torch.nn.Sequential(frozen, model), optimizer, scaler)


def outcome(function, *options, **more):
    model, optimizer, scaler = start(*options)
    before = model.weight.detach().clone()
    try:
        function(model, optimizer, scaler, **more)
    except (RuntimeError, ValueError, AssertionError) as failure:
        return failure
    return bool(model.weight.isfinite().all()) and not model.weight.equal(before)


right = [outcome(one_step), outcome(beside_frozen_fp16)]
measured = {
    "step_if_finite": outcome(step_if_finite),
    "step_always": outcome(step_always),
    "fp16_parameters": outcome(one_step, FP16),
    "bf16_parameters": outcome(one_step, BF16),
    "bf16_parameters_without_scaler": outcome(one_step, BF16, False, dtype=BF16),
    "fp32_ways": len(right),
    "fp32_trained": sum(result is True for result in right),
}
print(*measured.items(), sep="\n")
