"""
A blocking copy waits for its stream
====================================

What does ``non_blocking=True`` change? Without it, PyTorch makes the host wait for the
stream after each copy between host and GPU. The CUDA call that copies is the same, for
any memory. A new tensor on the host, however, is pinned with it and pageable without.
"""

import torch
from torch.profiler import ProfilerActivity, profile

# %%
# The same bytes on both sides. The target tensors already exist.

COUNT = 2**18  # floats: 1 MiB
COPIES = 10
pageable, into_pageable = torch.ones(COUNT), torch.ones(COUNT)
pinned, into_pinned = (torch.ones(COUNT, pin_memory=True) for _ in range(2))
gpu, into_gpu = torch.ones(COUNT, device="cuda"), torch.ones(COUNT, device="cuda")

# %%
# Two ways to the GPU, three to the host, and one that stays on the GPU.

routes = {
    "pageable-to-gpu": lambda free: pageable.to("cuda", non_blocking=free),
    "pinned-to-gpu": lambda free: pinned.to("cuda", non_blocking=free),
    "gpu-to-new-tensor": lambda free: gpu.to("cpu", non_blocking=free),
    "gpu-to-pageable": lambda free: into_pageable.copy_(gpu, non_blocking=free),
    "gpu-to-pinned": lambda free: into_pinned.copy_(gpu, non_blocking=free),
    "gpu-to-gpu": lambda free: into_gpu.copy_(gpu, non_blocking=free),
}

# %%
# The profiler sees every CUDA call on the host and every copy on the GPU.
# (``acc_events`` only suppresses a warning about restarting the profiler.)

BOTH = [ProfilerActivity.CPU, ProfilerActivity.CUDA]


def events_of(route, non_blocking):
    torch.cuda.synchronize()
    with profile(activities=BOTH, acc_events=True) as profiler:
        for _ in range(COPIES):
            route(non_blocking)
        torch.cuda.synchronize()
    return [event.name for event in profiler.events()]


events_of(routes["pinned-to-gpu"], True)  # the start of the profiler itself

# %%
# How often does PyTorch ask CUDA to copy, and how often to wait for a stream? And how
# does the profiler name the copy on the GPU?

table = []
for name, route in routes.items():
    row = {"route": name}
    for mode, non_blocking in (("default", False), ("free", True)):
        events = events_of(route, non_blocking)
        row[f"{mode}_copies"] = events.count("cudaMemcpyAsync")
        row[f"{mode}_waits"] = events.count("cudaStreamSynchronize")
        row[f"{mode}_name"] = ", ".join(sorted({e for e in events if "Memcpy " in e}))
    table.append(row)

# %%
# The argument does not change the number of copies, only the number of waits.

print("                   default    non_blocking")
print("                   copy wait  copy wait")
for row in table:
    route, *cells = row.values()
    print("{:17} {:5}{:5} {:5}{:5}".format(route, *cells[:2], *cells[3:5]), cells[5])

# %%
# Which stream does the host wait for? Only that of the copy: if a sleeping kernel holds
# another stream, the call returns.

other, released = torch.cuda.Stream(), torch.cuda.Event()


def returned_meanwhile(source):
    torch.cuda.synchronize()
    with torch.cuda.stream(other):
        torch.cuda._sleep(30_000_000)  # cycles: more than ten milliseconds
        released.record()
    source.to("cuda")
    return not released.query()


returned_meanwhile(pinned)  # loads the kernel
sources = pinned, pageable
meanwhile = [sum(returned_meanwhile(x) for _ in range(COPIES)) for x in sources]
print("returned with another stream busy: pinned {}, pageable {}".format(*meanwhile))

# %%
# From host to host, there is nothing to wait for, and the argument has no effect.
# ``cpu()`` does not accept it, but ``to("cpu", non_blocking=True)`` does.

host_same = pageable.to("cpu", non_blocking=True) is pageable
host_pinned = pageable.to("cpu", torch.float64, non_blocking=True).is_pinned()
try:
    gpu.cpu(non_blocking=True)
except TypeError as error:
    cpu_error = error
print(f"host to host: same {host_same}, pinned {host_pinned}; cpu(): {cpu_error}")

# %%
# Counts of CUDA calls, and of calls that returned early: all of them exact.

measured = {
    "copies": COPIES,
    "by_route": {"table": table},
    "pinned_meanwhile": meanwhile[0],
    "pageable_meanwhile": meanwhile[1],
    "host_same": host_same,
    "host_pinned": host_pinned,
    "cpu_error": cpu_error,
}
