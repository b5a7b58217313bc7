"""
Every pair of GPUs copies exactly
=================================

Does each GPU of this machine send to each other what it holds? On a machine whose PCIe switches
send such copies through the CPU's memory unit, they can arrive wrong without an error. This
compares every byte, in both directions of every pair.
"""

# sphinx_gallery_evidence = {"gpus": 2, "all_gpus": True}
import time
from itertools import permutations

import torch

# %%
# A direct copy is one call to PyTorch, whether the two GPUs have a link of their own or not.

SIZE = 2**26  # bytes: many packets on any link, and room for all pairs in two seconds
COPIES = 3
count = torch.cuda.device_count()
pairs = list(permutations(range(count), 2))
peers = sum(torch.cuda.can_device_access_peer(*pair) for pair in pairs)
print(f"{count} GPUs, {len(pairs)} ordered pairs, {peers} with peer access")

# %%
# Each GPU holds the same random bytes, which come from the host and never from another GPU. The
# target is filled with other bytes before each copy, so that a copy that does nothing shows.

bytes_on_host = torch.randint(0, 256, (SIZE,), dtype=torch.uint8)
held = [bytes_on_host.to(f"cuda:{gpu}") for gpu in range(count)]
targets = [torch.empty_like(source) for source in held]


def wrong_bytes(sender, receiver):
    targets[receiver].copy_(held[receiver]).bitwise_not_()
    targets[receiver].copy_(held[sender])
    return int((targets[receiver] != held[receiver]).sum())


# %%
# A pair is exact if none of its copies has a wrong byte.

begin = time.perf_counter()
wrong = {pair: [wrong_bytes(*pair) for _ in range(COPIES)] for pair in pairs}
exact = sum(not any(found) for found in wrong.values())
for pair, found in wrong.items():
    if any(found):
        print(f"cuda:{pair[0]} to cuda:{pair[1]}: {max(found)} wrong bytes of {SIZE}")
print(f"{exact} of {len(pairs)} exact, in {time.perf_counter() - begin:.1f} s")

# %%
# How many pairs there are depends on the machine, and that all are exact does not.

measured = {
    "pairs": len(pairs),
    "exact_pairs": exact,
    "copies": COPIES,
    "size_bytes": SIZE,
}
