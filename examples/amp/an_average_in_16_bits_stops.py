"""
An average in 16 bits stops
===========================

In which type is an average of the weights (EMA) kept? In FP32: with a decay close to one, a step
adds so little to it that a number in 16 bits stays as it is.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

gpu = torch.accelerator.current_accelerator(check_available=True)
device = gpu or torch.device("cpu")
weight = torch.ones(1000, device=device)
for dtype in (torch.float32, torch.bfloat16, torch.float16):
    average = torch.zeros(1000, device=device, dtype=dtype)
    for _ in range(5000):
        average.lerp_(weight.to(dtype), 1 - 0.999)
    print(f"{dtype}: {average[0].item():.3f}, and 0.993 is right")

# %%
# A model drifts from its first weights to others. The average lags, and should come close. Its
# distance from an average in FP64 is a share of how far the weights have moved.

SIZE, STEPS, DECAYS = 10000, 3000, ("0.9", "0.99", "0.999", "0.9999")
torch.manual_seed(0)
first, last = torch.randn(2, SIZE, device=device)


def average_of(decay, dtype):
    average = first.to(dtype, copy=True)
    for step in range(1, STEPS + 1):
        weight = torch.lerp(first, last, step / STEPS)
        average.lerp_(weight.to(dtype), 1 - float(decay))
    return average.double()


rows = []
for decay in DECAYS:
    exact = average_of(decay, torch.float64)
    moved = (exact - first).norm()
    row = {"decay": decay}
    for dtype in (torch.float32, torch.bfloat16, torch.float16):
        error = (average_of(decay, dtype) - exact).norm() / moved
        row[f"{dtype}_error_share".removeprefix("torch.")] = error.item()
    rows.append(row)
    print(row)

# %%
# The average of a model has the type of the model when it was made. Does PyTorch's class take one
# in 16 bits for weights in FP32?

model = torch.nn.Linear(64, 64).to(device)
averages = {
    "made in FP32": AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.999)),
    "converted": AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.999)).half(),
}
errors = {}
for name, average in averages.items():
    average.update_parameters(model)  # the first copies
    try:
        average.update_parameters(model)
        errors[name] = "none"
    except RuntimeError as error:
        errors[name] = error
    print(f"{name}: {errors[name]}")
measured = {
    "steps": STEPS,
    "by_decay": {"table": rows},
    "fp32_error": errors["made in FP32"],
    "converted_error": errors["converted"],
}
