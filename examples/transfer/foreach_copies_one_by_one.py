"""
``_foreach_copy_`` copies one by one
====================================

Does a call that takes two lists, or a module, combine many copies into one? No:
PyTorch issues one ``cudaMemcpyAsync`` for each tensor, wherever the loop runs. Within
the GPU, lists of a single dtype do help: a few kernels distribute a packed buffer to
existing tensors.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.profiler import ProfilerActivity, profile

# %%
# Tensors on the host, and as many on the GPU to receive them. The module has as many
# parameters: a weight and a bias in each layer.

COUNT, FLOATS = 200, 1000
tensors = [torch.randn(FLOATS) for _ in range(COUNT)]
targets = [torch.empty(FLOATS, device="cuda") for _ in tensors]
packed = torch.empty(COUNT * FLOATS, pin_memory=True)
layers = [torch.nn.Linear(16, 16) for _ in range(COUNT // 2)]
module = torch.nn.Sequential(*layers)


def pack_and_copy():
    torch.cat(tensors, out=packed)
    return packed.to("cuda", non_blocking=True).split(FLOATS)


# %%
# ``_foreach_copy_`` has no public name in this version of PyTorch, as its underscore
# indicates.


def foreach(source):
    torch._foreach_copy_(targets, source, non_blocking=True)


def copy_each(source):
    for target, tensor in zip(targets, source):
        target.copy_(tensor)


# %%
# All the methods. The last two start with the data on the GPU.

arrived = pack_and_copy()
WAYS = {
    "to": lambda: [t.to("cuda") for t in tensors],
    "to_non_blocking": lambda: [t.to("cuda", non_blocking=True) for t in tensors],
    "cuda_non_blocking": lambda: [t.cuda(non_blocking=True) for t in tensors],
    "foreach": lambda: foreach(tensors),
    "module": lambda: module.to("cuda"),
    "module_non_blocking": lambda: module.to("cuda", non_blocking=True),
    "pack_and_copy": pack_and_copy,
    "within_gpu_each": lambda: copy_each(arrived),
    "within_gpu_foreach": lambda: foreach(list(arrived)),
}

# %%
# The profiler sees the calls that PyTorch makes. Each method runs once without it
# first, so that no kernel is loaded while the calls are counted.


def calls(way):
    way()
    module.to("cpu")
    torch.cuda.synchronize()
    activities = [ProfilerActivity.CPU, ProfilerActivity.CUDA]
    with profile(activities=activities, acc_events=True) as profiler:
        kept = way()
    names = [event.name for event in profiler.events()]
    del kept
    kinds = ("cudaMemcpyAsync", "cudaStreamSynchronize", "cudaLaunchKernel")
    return [names.count(kind) for kind in kinds]


# %%
# The first use of the profiler, which starts it, does not count.

calls(pack_and_copy)
table = []
for name, way in WAYS.items():
    copies, waits, kernels = calls(way)
    table.append({"way": name, "copies": copies, "waits": waits, "kernels": kernels})
    print(f"{name:>20}: {copies} copies, {waits} waits, {kernels} kernels")

# %%
# Does a list distributed within the GPU equal what was packed?

for target in targets:
    target.zero_()
foreach(list(arrived))
equal = all(torch.equal(a, b.cpu()) for a, b in zip(tensors, targets))
print(f"equal: {equal}")

# %%
# Everything here is exact.

measured = {"tensors": COUNT, "by_way": {"table": table}, "equal": equal}
