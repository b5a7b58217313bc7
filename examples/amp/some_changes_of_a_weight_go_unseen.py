"""
Some changes of a weight go unseen
==================================

I loaded a checkpoint, or swapped in averaged weights, inside an autocast block: does the model
use them? Not if the values of its parameters changed in place: only a new parameter is seen.
"""

import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
model = torch.nn.Linear(64, 64).to(device)
averaged = torch.nn.Linear(64, 64).to(device)
x = torch.randn(16, 64, device=device)

with torch.no_grad(), torch.autocast(device.type, torch.bfloat16):
    own = model(x)
    model.load_state_dict(averaged.state_dict())
    unseen = model(x)
with torch.no_grad(), torch.autocast(device.type, torch.bfloat16):
    seen = model(x)
print(f"unseen: {torch.equal(unseen, own)}, seen: {not torch.equal(seen, own)}")

# %%
# Ways to change the weights. Which of them does the next forward pass see, in the same block?

from copy import deepcopy

opening_unseen, opening_seen = torch.equal(unseen, own), not torch.equal(seen, own)
start = deepcopy(model)


def doubled(layer):
    return {name: 2 * tensor for name, tensor in layer.state_dict().items()}


def assigned(layer):
    layer.weight = torch.nn.Parameter(2 * layer.weight.detach())


CHANGES = {
    "mul_": lambda layer: layer.weight.detach().mul_(2),
    "copy_": lambda layer: layer.weight.detach().copy_(2 * layer.weight),
    "data": lambda layer: setattr(layer.weight, "data", 2 * layer.weight.data),
    "init": lambda layer: torch.nn.init.ones_(layer.weight),
    "load_state_dict": lambda layer: layer.load_state_dict(doubled(layer)),
    "load_state_dict, assign": lambda layer: layer.load_state_dict(
        doubled(layer), assign=True
    ),
    "new parameter": assigned,
}


# %%
# A change is seen if the result is that of a block of its own.


def in_its_own_block(layer):
    with torch.autocast(device.type, torch.bfloat16):
        return layer(x)


def sees(change):
    layer = deepcopy(start)
    with torch.autocast(device.type, torch.bfloat16):
        layer(x)
        change(layer)
        result = layer(x)
    return torch.equal(result, in_its_own_block(layer))


changes = [{"change": name, "seen": sees(change)} for name, change in CHANGES.items()]
print(*changes, sep="\n")

measured = {
    "opening_unseen": opening_unseen,
    "opening_seen": opening_seen,
    "by_change": {"table": changes},
}
