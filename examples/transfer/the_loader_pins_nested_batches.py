"""
The loader pins nested batches
==============================

Which parts of a batch does ``DataLoader(pin_memory=True)`` pin? Tensors, including
those in mappings and sequences at any depth. An object of another class is left as it
is unless it has a ``pin_memory`` method, which has to return what the loop should
receive.
"""

# sphinx_gallery_quiet = "nothing"
import dataclasses
from typing import NamedTuple

import numpy
import torch
from torch.nn.utils.rnn import pack_sequence
from torch.utils.data import DataLoader

# %%
# A batch may belong to one of these classes: a named tuple and a dataclass.


class Pair(NamedTuple):
    """As ``collate_fn`` makes of samples that are named tuples."""

    image: torch.Tensor
    name: str


@dataclasses.dataclass
class Sample:
    """A class of one's own."""

    image: torch.Tensor


# %%
# Two more classes can pin themselves; the second one forgets to ``return``.


class Pinnable(Sample):
    """The same, with the method that the loader looks for."""

    def pin_memory(self):
        """Pin what there is to pin."""
        self.image = self.image.pin_memory()
        return self


class Forgetful(Sample):
    """The same, with a method that gives nothing back."""

    def pin_memory(self):
        """Pin, and forget to return."""
        self.image = self.image.pin_memory()


# %%
# Load a single batch exactly as the dataset returns it; a batch from a custom
# ``collate_fn`` is handled in the same way.


def unchanged(batch):
    return batch


def through_loader(batch):
    options = {"batch_size": None, "collate_fn": unchanged, "pin_memory": True}
    return next(iter(DataLoader([batch], **options)))


# %%
# Each kind of batch contains one tensor, with a function that retrieves it.

new = torch.ones(4)
CASES = {
    "tensor": (new, lambda batch: batch),
    "nested": ({"images": [new, (new,)]}, lambda batch: batch["images"][1][0]),
    "namedtuple": (Pair(new, "cat"), lambda batch: batch.image),
    "packed_sequence": (pack_sequence([new]), lambda batch: batch.data),
    "sparse": (torch.eye(4).to_sparse(), lambda batch: batch),
    "set": ({new}, lambda batch: next(iter(batch))),
    "dataclass": (Sample(new), lambda batch: batch.image),
    "with_method": (Pinnable(new), lambda batch: batch.image),
    "with_method_in_list": ([Pinnable(new)], lambda batch: batch[0].image),
}
pinned = {}
for kind, (batch, find) in CASES.items():
    arrived = through_loader(batch)
    assert type(arrived) is type(batch)
    pinned[kind] = find(arrived).is_pinned()
    print(f"{kind:>20}: {pinned[kind]}")

# %%
# Objects without tensors pass through unchanged, including NumPy arrays if
# ``collate_fn`` leaves them as they are. The default one converts them to tensors.

others = ("cat", 7, None, numpy.ones(4))
untouched = sum(through_loader(other) is other for other in others)
forgotten = repr(through_loader(Forgetful(new)))
print(f"{untouched} of {len(others)} untouched; without return: {forgotten}")

# %%
# The values tell whether the tensor in each kind of batch was pinned.

measured = {
    "kinds": {"table": [{"kind": kind, "pinned": pinned[kind]} for kind in CASES]},
    "others": len(others),
    "untouched": untouched,
    "forgotten": forgotten,
}
