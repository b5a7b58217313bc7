"""
Workers draw from one base seed
===============================

Do the numbers that a ``DataLoader``'s workers draw repeat? With a seeded generator they do, as
long as there are as many workers. A generator for each item makes them the same with any number.
"""

# sphinx_gallery_evidence = {"expected_warnings": ["This process", "This DataLoader"]}
# sphinx_gallery_quiet = "nothing"
import random

import torch
from torch.utils.data import DataLoader, Dataset


class Noise(Dataset):
    """Items that draw when they are read, as augmentations do."""

    def __len__(self):
        return 16

    def __getitem__(self, index):
        return index, torch.rand(1).item(), random.random()


loader = DataLoader(Noise(), shuffle=True, generator=torch.Generator().manual_seed(0))
print([index.item() for index, *_ in loader])

# %%
# An epoch is what a loader gives for each item: the order, PyTorch's number, and Python's.


class OwnNoise(Noise):
    """Items that draw from a generator of their own."""

    def __getitem__(self, index):
        generator = torch.Generator().manual_seed(1000 + index)
        number = torch.rand(1, generator=generator).item()
        return index, number, random.Random(index).random()


def epochs(workers, data=Noise, count=1, generator=True):
    options = {"batch_size": None, "shuffle": True, "num_workers": workers}
    if workers:
        options["multiprocessing_context"] = "fork"  # no worker touches the GPU
    if generator:
        options["generator"] = torch.Generator().manual_seed(0)
    loader = DataLoader(data(), **options)
    given = [list(loader) for _ in range(count)]
    order = [[index for index, *_ in items] for items in given]
    torch_s, python_s = (
        [{i[0]: i[n] for i in items} for items in given] for n in (1, 2)
    )
    return order, torch_s, python_s


# %%
# The same epoch again, with the same number of workers and with others. The seeds of the program
# differ, so that nothing repeats because a worker has inherited them.

WORKERS = 0, 1, 2, 3
NAMES = "order", "torch", "python"


def seed_the_program(seed):
    random.seed(seed)
    torch.manual_seed(seed)


rows = []
for workers in WORKERS:
    seed_the_program(1)
    once = epochs(workers)
    seed_the_program(2)
    again = dict(zip(NAMES, (a == b for a, b in zip(once, epochs(workers)))))
    two = dict(zip(NAMES, (a == b for a, b in zip(once, epochs(2)))))
    own = epochs(workers, OwnNoise) == epochs(2, OwnNoise)
    rows.append({"workers": workers, "own": own})
    rows[-1] |= {f"{name}_again": again[name] for name in NAMES}
    rows[-1] |= {f"{name}_as_with_two": two[name] for name in NAMES}
    print(rows[-1])

# %%
# A second epoch draws other numbers. Without a generator, the loader takes its base seed from the
# default one, and a program that has drawn before gets another order.

order, numbers, _ = epochs(2, count=2)
torch.manual_seed(0)
plain = epochs(2, generator=False)
torch.manual_seed(0)
repeated = epochs(2, generator=False)
torch.manual_seed(0)
torch.rand(1)
shifted = epochs(2, generator=False)
measured = {
    "by_workers": {"table": rows},
    "second_order_differs": order[0] != order[1],
    "second_numbers_differ": numbers[0] != numbers[1],
    "order_repeats_without_a_draw": plain[0] == repeated[0],
    "order_moved_by_a_draw": plain[0] != shifted[0],
}
