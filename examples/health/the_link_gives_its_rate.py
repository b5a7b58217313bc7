"""
The link gives its rate
=======================

Does the PCIe link to this GPU run as fast as the card and its slot allow? A card that is not
seated well trains its link with fewer lanes or as an older generation, and says nothing.
"""

# sphinx_gallery_quiet = "host"
import re
import subprocess
import time
import unittest

import torch

# %%
# Pinned buffers on the host, and one on the GPU.

SIZE = 2**28  # bytes: long enough that the call does not count
ROUNDS = 10
pinned = torch.ones(SIZE, dtype=torch.uint8).pin_memory()
returned = torch.empty_like(pinned).pin_memory()
on_gpu = torch.empty(SIZE, dtype=torch.uint8, device="cuda")


def seconds(source, target):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    target.copy_(source)
    torch.cuda.synchronize()
    return time.perf_counter() - begin


# %%
# An idle link saves power at a lower rate: ask the driver while copies run. What it names the
# highest is the highest that both the GPU and the slot can do.

FIELDS = "gen.current", "gen.max", "width.current", "width.max"
fields = ",".join(f"pcie.link.{field}" for field in FIELDS)
gpu = f"GPU-{torch.cuda.get_device_properties(0).uuid}"
command = [
    "nvidia-smi",
    f"--id={gpu}",
    f"--query-gpu={fields}",
    "--format=csv,noheader",
]
warm_until = time.perf_counter() + 0.3
query = None
while query is None or query.poll() is None:
    seconds(pinned, on_gpu)
    if query is None and time.perf_counter() > warm_until:
        query = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
told = query.communicate()[0]
if not re.fullmatch(r"\d+(, \d+){3}", told.strip()):
    raise unittest.SkipTest(f"the driver does not tell the PCIe link: {told.strip()}")
generation, highest, width, widest = map(int, told.split(","))
print(f"PCIe {generation} x{width}, at best {highest} x{widest}")

# %%
# What the link could carry: since the third generation, a lane encodes 128 bits of data in 130.

LANE = {1: 2.5e9 * 0.8, 2: 5e9 * 0.8, 3: 8e9, 4: 16e9, 5: 32e9, 6: 64e9}  # bits/s
CODE = 128 / 130 if generation > 2 else 1
link = LANE[generation] * CODE * width / 8

# %%
# Each direction in turn.

rates = [
    (SIZE / seconds(pinned, on_gpu), SIZE / seconds(on_gpu, returned))
    for _ in range(ROUNDS)
]
to_gpu, from_gpu = ([rate / link for rate in way] for way in zip(*rates))
print(f"share of the link: {max(to_gpu):.0%} to the GPU, {max(from_gpu):.0%} from it")

# %%
# The claims compare the link with what it could be, and the copies with the link.

measured = {
    "generation": generation,
    "highest_generation": highest,
    "width": width,
    "highest_width": widest,
    "to_gpu_link_share": {"samples": to_gpu},
    "from_gpu_link_share": {"samples": from_gpu},
}
