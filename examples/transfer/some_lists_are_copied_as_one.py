"""
Some lists are copied as one
============================

Which calls that take a list of tensors get by with fewer copies? A nested tensor is
packed on the host and sent as one. Within the GPU, ``_foreach_copy_`` launches only a
few kernels if all tensors have the same dtype, but copies a list of mixed dtypes one by
one.
"""
# sphinx_gallery_evidence = {"expected_warnings": ["The PyTorch API of nested tensors"]}
# sphinx_gallery_quiet = "nothing"

import torch
from torch.profiler import ProfilerActivity, profile

# %%
# Start with a list on the host. A nested tensor keeps the values of all its parts in a
# single tensor; the jagged layout keeps their offsets in another one.

COUNT, FLOATS = 200, 1000
tensors = [torch.randn(FLOATS) for _ in range(COUNT)]


def nested(layout):
    return torch.nested.as_nested_tensor(tensors, device="cuda", layout=layout)


# %%
# The tensors of a second list, on the GPU, cycle through four dtypes, so that every
# fourth tensor has the same one. A third list provides the targets.

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
# The profiler shows the calls that PyTorch makes. Each variant runs once without the
# profiler first, so that no kernel is loaded while the calls are counted.

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
# The first use of the profiler does not count, because it includes its startup.

calls(foreach)
table = []
for name, way in WAYS.items():
    copies, kernels = calls(way)
    table.append({"way": name, "copies": copies, "kernels": kernels})
    print(f"{name:>16}: {copies} copies, {kernels} kernels")

# %%
# Are the copies complete? Nested tensors are split into views of their parts.


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
# All of these values are exact.

measured = {
    "tensors": COUNT,
    "types": len(TYPES),
    "by_way": {"table": table},
    "nested_equal": nested_equal,
    "mixed_equal": all(foreach_equal),
}
