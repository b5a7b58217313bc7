"""
The loader pins for the accelerator there is
============================================

What can ``DataLoader(pin_memory=True)`` not pin? Tensors that are already on the GPU,
and, without an accelerator, anything at all. You cannot choose which device it pins
for: the argument for that is ignored.
"""

# sphinx_gallery_quiet = "nothing"
import os
import subprocess
import sys
import warnings

import torch
from torch.utils.data import DataLoader

# %%
# Load a single batch.


def first_batch(batch, **options):
    return next(iter(DataLoader([batch], batch_size=None, pin_memory=True, **options)))


# %%
# A dataset that loads to the GPU cannot be combined with a loader that pins.

torch.cuda.init()
on_host, on_gpu = torch.ones(4), torch.ones(4, device="cuda")
try:
    first_batch([on_host, on_gpu])
except RuntimeError as error:
    gpu_tensor = error
    print(error)

# %%
# ``pin_memory_device`` triggers a warning and is ignored: there is no such device here.

with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    plain = first_batch(on_host).is_pinned()
    plain_warnings = len(seen)
    for_absent = first_batch(on_host, pin_memory_device="cuda:99").is_pinned()
device_warning = str(seen[-1].message)
print(f"pinned: {plain}, {for_absent}; {device_warning}")

# %%
# Without an accelerator, the loader does not pin, and says so. Another process, from
# which the GPU is hidden, shows this.

CODE = """
import torch
from torch.utils.data import DataLoader
batch = next(iter(DataLoader([torch.ones(4)], batch_size=None, pin_memory=True)))
print(batch.is_pinned())
"""
child = subprocess.run(
    [sys.executable, "-c", CODE],
    env=os.environ | {"CUDA_VISIBLE_DEVICES": ""},
    capture_output=True,
    text=True,
    check=True,
)
warned = "no accelerator is found" in child.stderr
print(f"pinned without a GPU: {child.stdout.strip()}, with a warning: {warned}")

# %%
# The values are answers and messages.

measured = {
    "gpu_tensor": gpu_tensor,
    "plain_warnings": plain_warnings,
    "device_warning": device_warning,
    "pinned_for_absent_device": for_absent,
    "pinned_without_gpu": child.stdout.strip() == "True",
    "warned_without_gpu": warned,
}
