"""
Sizes round up to blocks and segments
=====================================

How much memory does a tensor take? A block, somewhat larger than asked for, out of a segment that
the allocator gets from the driver. Small tensors, larger ones and the largest come from segments of
three kinds. What is left of a segment serves later tensors.
"""

# sphinx_gallery_quiet = "nothing"
import torch

KIB, MIB = 2**10, 2**20


def taken(*sizes):
    """Give what the allocator counts and holds for tensors of these bytes."""
    torch.cuda.empty_cache()
    allocated, reserved = torch.cuda.memory_allocated(), torch.cuda.memory_reserved()
    kept = [torch.empty(size, dtype=torch.uint8, device="cuda") for size in sizes]
    counted = torch.cuda.memory_allocated() - allocated
    held = torch.cuda.memory_reserved() - reserved
    return counted, held, sum(tensor.nbytes for tensor in kept)


print("one byte: counted {}, held {}, asked for {}".format(*taken(1)))

# %%
# Sizes at each limit. Nothing is there before, so that each tensor gets a segment of its own.

SIZES = {
    "1 byte": 1,
    "513 bytes": 513,
    "1 MiB": MIB,
    "1 MiB and a byte": MIB + 1,
    "9.5 MiB": 19 * MIB // 2,
    "10 MiB": 10 * MIB,
    "10 MiB and a byte": 10 * MIB + 1,
    "11 MiB": 11 * MIB,
    "21 MiB and a byte": 21 * MIB + 1,
}
table = []
for name, size in SIZES.items():
    counted, held, _ = taken(size)
    table.append(
        {
            "tensor": name,
            "size_bytes": size,
            "counted_bytes": counted,
            "held_bytes": held,
        }
    )
    print(table[-1])

# %%
# What is left of a segment is used by tensors of the same class: 2048 tensors of a KiB fill one,
# and one more needs another. Two medium tensors share one, and a third does not fit.

small = taken(*[KIB] * 2048)
one_more = taken(*[KIB] * 2049)
pair = taken(19 * MIB // 2, 19 * MIB // 2)
third = taken(19 * MIB // 2, 19 * MIB // 2, MIB + 1)
mixed = taken(KIB, 2 * MIB)  # the two classes never share a segment
print(small, one_more, pair, third, mixed)

# %%
# Exact, with the allocator's default settings.

measured = {
    "tensors": {"table": table},
    "small_held_bytes": small[1],
    "one_more_held_bytes": one_more[1],
    "pair_held_bytes": pair[1],
    "third_held_bytes": third[1],
    "mixed_held_bytes": mixed[1],
}
