"""
Peer access does not mix devices
================================

Is a copy on another GPU exact? Yes, bit for bit, in each layout tried. Can one operation
use tensors on two GPUs? As a rule it cannot, even with peer access.
"""

# sphinx_gallery_evidence = {"gpus": 2}
# sphinx_gallery_quiet = "nothing"
import torch

# %%
# Peer access lets one GPU read the memory of another. PyTorch enables it at the first copy,
# where the driver offers it.

PAIRS = [("cuda:0", "cuda:1"), ("cuda:1", "cuda:0")]
accessible = [torch.cuda.can_device_access_peer(*map(torch.device, p)) for p in PAIRS]
print(f"peer access: {accessible}")

# %%
# Random bits, an odd number of bytes from an odd address, a transposed matrix, one with
# gaps: each is copied, and compared with its source on the host.


def views(device):
    bits = torch.randint(-(2**63), 2**63 - 1, (1024, 1024), device=device)
    odd = bits.view(torch.uint8).flatten()[1:1_000_000]
    return bits, odd, bits.T, bits[:, ::3]


def is_exact(view, target):
    copy = view.to(target)
    return torch.equal(copy.cpu(), view.cpu())


tried = [is_exact(view, target) for source, target in PAIRS for view in views(source)]
print(f"exact: {sum(tried)} of {len(tried)}")

# %%
# Operations on tensors of two GPUs, and the exceptions: a tensor with a single number and no
# dimension that is on the CPU; an index on the CPU.

here, there = (torch.arange(4, device=f"cuda:{i}") for i in range(2))
index = torch.tensor([2, 0])


def outcome(operation):
    try:
        return operation().tolist()
    except RuntimeError as failure:
        print(f"{failure!s:.85}")
        return failure


mixed = outcome(lambda: here + there)
number_there = outcome(lambda: here + there.sum())
number_on_cpu = outcome(lambda: here + there.sum().cpu())
index_there = outcome(lambda: here[index.to("cuda:1")])
index_on_cpu = outcome(lambda: here[index])
out_there = outcome(lambda: torch.add(here, here, out=there))
copied_into = outcome(lambda: there.copy_(here))

# %%
# Each outcome is an error, or whether the result is right.

measured = {
    "peer_access": all(accessible),
    "copies": len(tried),
    "exact": sum(tried),
    "mixed": mixed,
    "number_there": number_there,
    "number_on_cpu": number_on_cpu == [6, 7, 8, 9],
    "index_there": index_there,
    "index_on_cpu": index_on_cpu == [2, 0],
    "out_there": out_there,
    "copied_into": copied_into == [0, 1, 2, 3],
}
