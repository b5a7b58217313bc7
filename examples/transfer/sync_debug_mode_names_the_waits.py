"""
The sync debug mode names the waits
===================================

Which operations make the host wait for the GPU? ``torch.cuda.set_sync_debug_mode("warn")`` warns
about most of them. It does not see waits inside CUDA's own calls, such as that of a
``non_blocking`` copy into pageable memory, nor most deliberate waits.
"""

import warnings

import torch
from torch.nn.functional import one_hot

# %%
# Create tensors to work with, on the host and on the GPU.

SIZE, SMALL, TRIES = 2**24, 2**16, 3  # bytes: more than the driver stages, and less
HOLD = 20_000_000  # cycles: some milliseconds, on any GPU
pageable = torch.ones(SIZE, dtype=torch.uint8)
pinned = torch.ones(SIZE, dtype=torch.uint8, pin_memory=True)
gpu = torch.ones(SIZE, dtype=torch.uint8, device="cuda")
few, classes = torch.eye(4, device="cuda"), torch.arange(4, device="cuda")
mask = few > 0
free, event = {"non_blocking": True}, torch.cuda.Event()

# %%
# The first operations are copies in both directions.

operations = {
    "pageable-to-gpu": lambda: pageable.to("cuda"),
    "pageable-to-gpu-free": lambda: pageable.to("cuda", **free),
    "short-to-gpu-free": lambda: pageable[:SMALL].to("cuda", **free),
    "pinned-to-gpu": lambda: pinned.to("cuda"),
    "pinned-to-gpu-free": lambda: pinned.to("cuda", **free),
    "gpu-to-new": lambda: gpu.to("cpu"),
    "gpu-to-new-free": lambda: gpu.to("cpu", **free),
    "gpu-to-pageable-free": lambda: pageable.copy_(gpu, **free),
    "gpu-to-pinned": lambda: pinned.copy_(gpu),
    "gpu-to-pinned-free": lambda: pinned.copy_(gpu, **free),
    "clone": gpu.clone,
}

# %%
# The next ones bring a value or a size to the host. Below them are variants that do nearly the
# same without that.

operations |= {
    "item": few.sum().item,
    "bool": lambda: bool(mask.any()),
    "repr": lambda: repr(few),
    "nonzero": few.nonzero,
    "nonzero-static": lambda: torch.nonzero_static(few, size=16),
    "mask": lambda: few[mask],
    "masked-fill": lambda: few.masked_fill(mask, 0),
    "one-hot": lambda: one_hot(classes),
    "one-hot-sized": lambda: one_hot(classes, 4),
}

# %%
# The last ones bring values from the host along, or wait deliberately.

operations |= {
    "tensor": lambda: torch.tensor([0, 2], device="cuda"),
    "tensor-free": lambda: torch.tensor([0, 2]).to("cuda", **free),
    "list-index": lambda: few[[0, 2]],
    "gpu-index": lambda: few[classes],
    "synchronize": torch.cuda.synchronize,
    "stream": torch.cuda.current_stream().synchronize,
    "event": event.synchronize,
    "empty-cache": lambda: (gpu.clone().sum(), torch.cuda.empty_cache()),
}

# %%
# What does the mode report? It gives one warning for each wait that it sees.


def warned(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        torch.cuda.set_sync_debug_mode("warn")
        call()
        torch.cuda.set_sync_debug_mode("default")
    return sum("called a synchronizing" in str(w.message) for w in caught)


# %%
# What actually waits? A sleeping kernel holds the stream; a call that waited returns after it.


def waited(call):
    torch.cuda.synchronize()
    torch.cuda._sleep(HOLD)
    event.record()
    call()
    return event.query()


# %%
# Check both for all operations. The first call loads the kernels and does not count.

table = []
for name, call in operations.items():
    call()
    count = sum(waited(call) for _ in range(TRIES))
    table.append({"operation": name, "warnings": warned(call), "waited": count})
    print("{:20} warnings: {:>3}, waited: {:>2}".format(*table[-1].values()))

# %%
# Where the two disagree, the mode misses a wait. It never warned without one. It can also raise.

false = sum(row["warnings"] > 0 and row["waited"] < TRIES for row in table)
torch.cuda.set_sync_debug_mode("error")
try:
    few.sum().item()
except RuntimeError as error:
    raised = error
torch.cuda.set_sync_debug_mode("default")
measured = {"tries": TRIES, "by_operation": {"table": table}, "false_alarms": false}
measured["raised"] = raised
