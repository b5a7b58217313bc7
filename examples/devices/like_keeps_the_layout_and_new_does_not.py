"""
zeros_like keeps the layout, and new_zeros does not
===================================================

What does a new tensor take from its source? ``zeros_like`` and ``new_zeros`` both take the data
type and the device. Only ``zeros_like`` and its siblings also take the memory format.
"""

# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")

image = torch.ones(2, 3, 8, 8, dtype=torch.float64, device=device)
image = image.to(memory_format=torch.channels_last).requires_grad_()
print(torch.zeros_like(image).stride(), image.new_zeros(image.shape).stride())

# %%
# Each way makes a tensor of the same shape, here from an image in channels-last format.

WAYS = {
    "new_empty": lambda x: x.new_empty(x.shape),
    "new_zeros": lambda x: x.new_zeros(x.shape),
    "new_ones": lambda x: x.new_ones(x.shape),
    "new_full": lambda x: x.new_full(x.shape, 2),
    "new_tensor": lambda x: x.new_tensor(x.tolist()),
    "empty_like": torch.empty_like,
    "zeros_like": torch.zeros_like,
    "ones_like": torch.ones_like,
    "full_like": lambda x: torch.full_like(x, 2),
    "rand_like": torch.rand_like,
    "randn_like": torch.randn_like,
    "to": lambda x: torch.zeros(x.shape).to(x),
    "zeros": lambda x: torch.zeros(x.shape),
    "zeros_with_both": lambda x: torch.zeros(x.shape, dtype=x.dtype, device=x.device),
    "clone": torch.clone,
}


SHOWN = ("zeros_like", "new_zeros", "zeros", "zeros_with_both", "to", "clone")


def kept(way, x):
    made = WAYS[way](x)
    return {
        "way": way,
        "dtype": made.dtype == x.dtype,
        "device": made.device == x.device,
        "strides": made.stride() == x.stride(),
        "requires_grad": made.requires_grad == x.requires_grad,
    }


ways = [kept(way, image) for way in WAYS]
kinds = []
for kind, mark in (("like", "_like"), ("new", "new_")):
    rows = [row for row in ways if mark in row["way"]]
    names = ("dtype", "device", "strides", "requires_grad")
    counts = {name: sum(row[name] for row in rows) for name in names}
    kinds.append({"kind": kind, "ways": len(rows), **counts})
print(*ways, sep="\n")

# %%
# ``zeros_like`` keeps strides if the elements fill their memory. From a view that has gaps or
# repeats its elements, it makes a dense tensor. No new tensor stays in pinned memory.

matrix = torch.ones(4, 6, device=device)
LAYOUTS = {
    "transposed": matrix.T,
    "gaps": matrix[:, ::2],
    "transposed_gaps": matrix.T[::2],
    "expanded": matrix[:1].expand(4, 6),
}
layouts = []
for name, x in LAYOUTS.items():
    like, new = torch.zeros_like(x), x.new_zeros(x.shape)
    row = {"layout": name, "like": like.stride() == x.stride()}
    row |= {"like_in_order": like.is_contiguous(), "new_in_order": new.is_contiguous()}
    layouts.append(row)
    print(row)

source = torch.ones(4, pin_memory=found is not None)
pinned = sum(make(source).is_pinned() for make in WAYS.values())
asked = torch.zeros_like(source, pin_memory=source.is_pinned()).is_pinned()

# %%
# Tensors made from a parameter are plain, and tensors made from integers drop decimals.

weight = torch.nn.Parameter(matrix)
classes = {type(make(weight)).__name__ for make in WAYS.values()}
whole = torch.empty(2, dtype=torch.int64, device=device)
cut = [*whole.new_full((2,), 0.7).tolist(), *whole.new_tensor([1.7]).tolist()]
cut += torch.full_like(whole, 0.7).tolist()

# %%
# This is what three calls print today.


def shown(x):
    return " ".join(str(x).split())


measured = {
    "ways": {"table": [row for row in ways if row["way"] in SHOWN]},
    "kinds": {"table": kinds},
    "layouts": {"table": layouts},
    "tried": len(WAYS),
    "source_pinned": source.is_pinned(),
    "pinned": pinned,
    "pinned_if_asked": asked,
    "classes_of_parameter": " ".join(sorted(classes)),
    "cut_off": " ".join(map(str, cut)),
    "shown_full": shown(torch.empty(2).new_full([3, 2], 0.3)),
    "shown_whole": shown(matrix.new_full([3, 2], -5)),
    "shown_integers": shown(whole.cpu().new_tensor([[1, 2, 3]])),
    "demo_device": str(torch.empty(2, 3).device),
}
