"""
Some lists are copied as one
============================

Which calls that take a list of tensors do with fewer copies? A nested tensor is packed on
the host and sent as one. Within the GPU ``_foreach_copy_`` launches a few kernels, but
only for tensors of one type: a list of several types is copied one by one.
"""
# sphinx_gallery_evidence = {"expected_warnings": ["The PyTorch API of nested tensors"]}

import torch
from torch.profiler import ProfilerActivity, profile

# %%
# A list on the host. A nested tensor keeps the numbers of all its parts in one; the layout
# that is called jagged keeps their places in another.

COUNT, FLOATS = 200, 1000
tensors = [torch.randn(FLOATS) for _ in range(COUNT)]


def nested(layout):
    return torch.nested.as_nested_tensor(tensors, device="cuda", layout=layout)


# %%
# A list on the GPU, whose tensors have four types by turns, and others to be filled. Each
# fourth tensor has the same type.

TYPES = (torch.float32, torch.float16, torch.int64, torch.int32)
mixed = [t.to("cuda", TYPES[i % len(TYPES)]) for i, t in enumerate(tensors)]
targets = [torch.empty_like(tensor) for tensor in mixed]


def foreach():
    torch._foreach_copy_(targets, mixed, non_blocking=True)


def foreach_by_type():
    for first in range(len(TYPES)):
        some = slice(first, None, len(TYPES))
        torch._foreach_copy_(targets[some], mixed[some], non_blocking=True)


# %%
# The profiler sees the calls that PyTorch makes. Each way runs once before, without it:
# no kernel is loaded while the calls are counted.

WAYS = {
    "loop": lambda: [tensor.to("cuda") for tensor in tensors],
    "nested_strided": lambda: nested(torch.strided),
    "nested_jagged": lambda: nested(torch.jagged),
    "foreach_mixed": foreach,
    "foreach_by_type": foreach_by_type,
}


def calls(way):
    way()
    torch.cuda.synchronize()
    activities = [ProfilerActivity.CPU, ProfilerActivity.CUDA]
    with profile(activities=activities, acc_events=True) as profiler:
        kept = way()
        torch.cuda.synchronize()
    names = [event.name for event in profiler.events()]
    del kept
    return [names.count(kind) for kind in ("cudaMemcpyAsync", "cudaLaunchKernel")]


# %%
# The first use of the profiler, its own start, does not count.

calls(foreach)
table = []
for name, way in WAYS.items():
    copies, kernels = calls(way)
    table.append({"way": name, "copies": copies, "kernels": kernels})
    print(f"{name:>16}: {copies} copies, {kernels} kernels")

# %%
# Does all arrive? A nested tensor is taken apart into views of its parts.


def same(some, others):
    return all(torch.equal(a.cpu(), b.cpu()) for a, b in zip(some, others, strict=True))


parts = [nested(layout).unbind() for layout in (torch.strided, torch.jagged)]
nested_equal = all(same(some, tensors) for some in parts)
foreach_equal = []
for way in (foreach, foreach_by_type):
    _ = [target.zero_() for target in targets]
    way()
    foreach_equal.append(same(targets, mixed))
print(
    f"nested tensors are equal: {nested_equal}, lists within the GPU: {foreach_equal}"
)

# %%
# Everything here is exact.

measured = {
    "tensors": COUNT,
    "types": len(TYPES),
    "by_way": {"table": table},
    "nested_equal": nested_equal,
    "mixed_equal": all(foreach_equal),
}
