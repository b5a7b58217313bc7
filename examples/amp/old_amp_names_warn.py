"""
Old AMP names warn
==================

Which names of mixed precision are deprecated, and what replaces them? Each old name says so in a
warning. Pass the arguments of ``torch.amp.autocast`` by keyword: their order has changed.
"""

# sphinx_gallery_quiet = "nothing"
import inspect
import warnings

import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
x = torch.ones(16, 16, device=device)

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    with torch.cuda.amp.autocast(enabled=True, dtype=torch.bfloat16):
        old = x @ x
with torch.autocast(device.type, dtype=torch.bfloat16, enabled=True):
    new = x @ x
print(f"{caught[0].category.__name__}: {caught[0].message}")

# %%
# What every old name says. The last four only work on a GPU.

same = torch.equal(old, new)
OLD = {
    "torch.cuda.amp.autocast": torch.cuda.amp.autocast,
    "torch.cuda.amp.GradScaler": torch.cuda.amp.GradScaler,
    "torch.cuda.amp.custom_fwd": lambda: torch.cuda.amp.custom_fwd(max),
    "torch.cuda.amp.custom_bwd": lambda: torch.cuda.amp.custom_bwd(max),
    "torch.cpu.amp.autocast": torch.cpu.amp.autocast,
    "torch.cpu.amp.GradScaler": torch.cpu.amp.GradScaler,
    "torch.get_autocast_gpu_dtype": torch.get_autocast_gpu_dtype,
    "torch.is_autocast_cpu_enabled": torch.is_autocast_cpu_enabled,
    "torch.get_autocast_cpu_dtype": torch.get_autocast_cpu_dtype,
}
MEMORY = {
    "torch.cuda.reset_max_memory_allocated": torch.cuda.reset_max_memory_allocated,
    "torch.cuda.reset_max_memory_cached": torch.cuda.reset_max_memory_cached,
    "torch.cuda.memory_cached": torch.cuda.memory_cached,
    "torch.cuda.max_memory_cached": torch.cuda.max_memory_cached,
}
NEW = {
    "torch.amp.autocast": lambda: torch.amp.autocast(device.type),
    "torch.amp.GradScaler": lambda: torch.amp.GradScaler(device.type),
    "torch.amp.custom_fwd": lambda: torch.amp.custom_fwd(max, device_type="cuda"),
    "torch.amp.custom_bwd": lambda: torch.amp.custom_bwd(max, device_type="cuda"),
    "torch.get_autocast_dtype": lambda: torch.get_autocast_dtype("cuda"),
    "torch.is_autocast_enabled": lambda: torch.is_autocast_enabled("cpu"),
}


def said_by(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    words = [str(warning.message).partition(" (Triggered")[0] for warning in caught]
    return [(w.category.__name__, text) for w, text in zip(caught, words)]


rows = []
for name, call in (OLD | (MEMORY if found else {})).items():
    category, message = (said_by(call) or [("", "")])[0]
    rows.append({"name": name, "category": category, "message": message})
    print(f"{name}: {category}: {message}")

# %%
# A positional argument, and the same behind the device type, as the warning says: ``enabled``
# came first, ``dtype`` does now. Is autocast off again after the block, or after the error?


def outcome(make):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with make():
                return str((x @ x).dtype)
    except (RuntimeError, TypeError, ValueError) as error:
        return error


ARGUMENTS = {
    "old": lambda: torch.cuda.amp.autocast(True),
    "literal": lambda: torch.amp.autocast(device.type, True),
    "keyword": lambda: torch.amp.autocast(device.type, enabled=True),
    "no_device": lambda: torch.autocast(dtype=torch.bfloat16),
    "device": lambda: torch.autocast(device, dtype=torch.bfloat16),
    "index": lambda: torch.autocast(f"{device.type}:0", dtype=torch.bfloat16),
    "unknown": lambda: torch.autocast("gpu", dtype=torch.bfloat16),
    "another": lambda: torch.autocast("cpu", dtype=torch.bfloat16),
}
outcomes, left_on = {}, {}
for name, make in ARGUMENTS.items():
    outcomes[f"by_{name}"] = outcome(make)
    left_on[name] = torch.is_autocast_enabled(device.type)
    torch.set_autocast_enabled(device.type, False)
    print(f"{name}: {outcomes[f'by_{name}']!r}, autocast left on: {left_on[name]}")

# %%
# ``zero_grad`` no longer needs to be told to set gradients to None.

parameters = inspect.signature(torch.optim.SGD.zero_grad).parameters
measured = {
    **outcomes,
    "same": same,
    "left_on_by_literal": left_on["literal"],
    "left_on_by_keyword": left_on["keyword"],
    "by_name": {"table": rows},
    "names": len(rows),
    "future": sum(row["category"] == "FutureWarning" for row in rows),
    "hidden": sum(row["category"] == "DeprecationWarning" for row in rows),
    "new_names": len(NEW),
    "silent_names": sum(not said_by(call) for call in NEW.values()),
    "one_autocast": torch.autocast is torch.amp.autocast,
    "sets_to_none": parameters["set_to_none"].default,
}
