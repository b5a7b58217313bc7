"""
The AMP recipe uses older names
===============================

Which lines of PyTorch's recipe for mixed precision have been replaced? Two of its calls warn,
an argument that it recommends is the default, and ``torch.cuda.amp.autocast`` takes no device.
"""

import warnings

import torch

gpu = torch.accelerator.current_accelerator(check_available=True)
device = gpu or torch.device("cpu")
scaler = torch.amp.GradScaler(device.type)  # not torch.cuda.amp.GradScaler()
with torch.autocast(device.type, dtype=torch.float16):  # not torch.cuda.amp.autocast()
    product = torch.ones(8, 8, device=device) @ torch.ones(8, 8, device=device)
if gpu:
    torch.cuda.reset_peak_memory_stats()  # not reset_max_memory_allocated()
print(product.dtype, scaler.is_enabled())

# %%
# What do the older names warn of? Without a GPU, the last would raise an error.


def warning_of(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = call()
    found_warnings = [w for w in caught if issubclass(w.category, FutureWarning)]
    text = str(found_warnings[0].message) if found_warnings else "none"
    return found, text


old_scaler, scaler_warning = warning_of(lambda: torch.cuda.amp.GradScaler())
old_block, autocast_warning = warning_of(lambda: torch.cuda.amp.autocast())
_, memory_warning = warning_of(lambda: gpu and torch.cuda.reset_max_memory_allocated())
for text in (scaler_warning, autocast_warning, memory_warning):
    print(text)

# %%
# They still do what they did: the older scaler is one of the newer kind, and the older block
# casts to FP16 by default.

with old_block:
    old_type = torch.get_autocast_dtype("cuda")
try:
    warning_of(lambda: torch.cuda.amp.autocast(device_type="cuda"))
    device_error = "none"
except TypeError as error:
    device_error = error
print(f"{isinstance(old_scaler, torch.amp.GradScaler)}, {old_type}, {device_error!r}")

# %%
# The recipe's comment on ``zero_grad`` recommends what is the default: after both calls, no
# gradient is left.


def gradients_left(**arguments):
    layer = torch.nn.Linear(4, 4, device=device)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    layer(torch.ones(1, 4, device=device)).sum().backward()
    optimizer.zero_grad(**arguments)
    return sum(parameter.grad is not None for parameter in layer.parameters())


left = {
    "by_default": gradients_left(),
    "set_to_none": gradients_left(set_to_none=True),
    "set_to_zero": gradients_left(set_to_none=False),
}
print(left)

measured = {
    "scaler_warning": scaler_warning,
    "autocast_warning": autocast_warning,
    "memory_warning": memory_warning,
    "old_scaler_is_new": isinstance(old_scaler, torch.amp.GradScaler),
    "old_type": str(old_type).removeprefix("torch."),
    "device_error": device_error,
    "left_by_default": left["by_default"],
    "left_set_to_none": left["set_to_none"],
    "left_set_to_zero": left["set_to_zero"],
}
