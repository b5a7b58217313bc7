"""
A pinned loader alone still waits
=================================

Does ``DataLoader(pin_memory=True)`` make the copies to the GPU asynchronous? Not by
itself: the loop has to request that with ``non_blocking=True``. Without it, every copy
ends with a wait for the GPU, pinned or not.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.profiler import ProfilerActivity, profile
from torch.utils.data import DataLoader

# %%
# The same data, from a loader with default settings and from one that pins.

SAMPLES, BATCH = 64, 8
dataset = torch.ones(SAMPLES, 2**17)  # 4 MiB a batch
pageable_loader = DataLoader(dataset, batch_size=BATCH, shuffle=True)
pinned_loader = DataLoader(dataset, batch_size=BATCH, shuffle=True, pin_memory=True)

# %%
# A loop that only copies each batch to the GPU, and the same loop with
# ``non_blocking=True``.


def loop(loader):
    for batch in loader:
        batch = batch.to("cuda")


def free_loop(loader):
    for batch in loader:
        batch = batch.to("cuda", non_blocking=True)


# %%
# The profiler shows which CUDA calls PyTorch makes, and what memory the copies read.


def calls(function, loader):
    activities = [ProfilerActivity.CPU, ProfilerActivity.CUDA]
    with profile(activities=activities, acc_events=True) as profiler:
        function(loader)
    names = [event.name for event in profiler.events()]
    pinned = sum("HtoD (Pinned" in name for name in names)
    return pinned, names.count("cudaStreamSynchronize")


# %%
# The first use of the profiler starts it and does not count.

CASES = {
    "pageable": (loop, pageable_loader),
    "pageable_free": (free_loop, pageable_loader),
    "pinned": (loop, pinned_loader),
    "pinned_free": (free_loop, pinned_loader),
}
calls(loop, pinned_loader)
table = []
for name, case in CASES.items():
    pinned, waits = calls(*case)
    table.append({"loop": name, "pinned_copies": pinned, "waits": waits})
    print(f"{name:>14}: {pinned} copies from pinned memory, {waits} waits")

# %%
# Copies that read pinned memory, and waits for the stream, in one epoch.

measured = {"batches": SAMPLES // BATCH, "loops": {"table": table}}
