"""
Packed views need alignment
===========================

Can tensors of several dtypes share one packed buffer? Yes: pack them into a buffer of
bytes, and on the GPU take a view of each part with its own dtype. Each part must begin
at a multiple of its element size, or PyTorch rejects the view; rounding every offset up
to 16 always works.
"""

# sphinx_gallery_quiet = "nothing"
import torch

# %%
# A batch can contain several dtypes and odd shapes.

batch = {
    "mask": torch.tensor([True, False, True]),
    "image": torch.randn(2, 3, 5).half(),
    "label": torch.arange(7),
    "weight": torch.randn(3, dtype=torch.float64),
    "scale": torch.tensor(0.5),
    "code": torch.arange(5, dtype=torch.uint8),
}

# %%
# Compute where each part begins in the buffer, and the size of the whole.


def offsets(tensors, alignment):
    begins, end = [], 0
    for tensor in tensors:
        begins.append(-(-end // alignment) * alignment)  # rounded up
        end = begins[-1] + tensor.nbytes
    return begins, end


# %%
# A single copy goes to the GPU. The bytes of a tensor are its ``uint8`` view, which a
# tensor without dimensions supports only once it is reshaped. The views on the GPU copy
# nothing.


def send(tensors, alignment):
    begins, size = offsets(tensors, alignment)
    packed = torch.empty(size, dtype=torch.uint8, pin_memory=True)
    for tensor, begin in zip(tensors, begins):
        part = packed[begin : begin + tensor.nbytes]
        part.copy_(tensor.reshape(-1).view(torch.uint8))
    gpu = packed.to("cuda", non_blocking=True)
    parts = (gpu[b : b + t.nbytes] for t, b in zip(tensors, begins))
    return [p.view(t.dtype).view(t.shape) for p, t in zip(parts, tensors)]


# %%
# With an alignment of 16, the views equal what was packed, and all of them share the
# memory of one tensor.

tensors = list(batch.values())
views = send(tensors, alignment=16)
equal = all(torch.equal(a, b.cpu()) for a, b in zip(tensors, views))
same_types = all(a.dtype == b.dtype for a, b in zip(tensors, views))
storages = len({view.untyped_storage().data_ptr() for view in views})
print(f"equal: {equal}, same types: {same_types}, storages: {storages}")

# %%
# Packed without gaps, the second part begins at the third byte.

try:
    send(tensors, alignment=1)
    unaligned = None
except RuntimeError as error:
    unaligned = error
print(unaligned)

# %%
# Sorted from the largest element size to the smallest, they need no gaps.

ordered = sorted(tensors, key=lambda tensor: -tensor.element_size())
views = send(ordered, alignment=1)
sorted_equal = all(torch.equal(a, b.cpu()) for a, b in zip(ordered, views))
print(f"sorted and without gaps, equal: {sorted_equal}")

# %%
# ``torch.cat`` does not reject mixed dtypes. It converts them all to one.

joined = torch.cat([torch.arange(3), torch.tensor([True]), torch.tensor([0.5])])
print(f"torch.cat of int64, bool and float32: {joined.dtype}")

# %%
# All of these values are exact.

measured = {
    "tensors": len(tensors),
    "equal": equal,
    "same_types": same_types,
    "storages": storages,
    "unaligned": unaligned,
    "sorted_equal": sorted_equal,
    "cat_type": str(joined.dtype),
}
