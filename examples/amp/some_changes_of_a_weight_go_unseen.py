"""
Some changes of a weight go unseen
==================================

I loaded a checkpoint, or swapped in averaged weights, inside an autocast block: does the model
use them? Not if the values of its parameters changed in place: only a new parameter is seen.
"""

# sphinx_gallery_quiet = "nothing"
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

start = deepcopy(model)


def doubled(layer):
    return {name: 2 * tensor for name, tensor in layer.state_dict().items()}


def assigned(layer):
    layer.weight = torch.nn.Parameter(2 * layer.weight.detach())


IN_PLACE = {
    "mul_": lambda layer: layer.weight.detach().mul_(2),
    "copy_": lambda layer: layer.weight.detach().copy_(2 * layer.weight),
    "data": lambda layer: setattr(layer.weight, "data", 2 * layer.weight.data),
    "init": lambda layer: torch.nn.init.ones_(layer.weight),
    "load_state_dict": lambda layer: layer.load_state_dict(doubled(layer)),
}
NEW = {
    "load_state_dict, assign": lambda layer: layer.load_state_dict(
        doubled(layer), assign=True
    ),
    "new parameter": assigned,
}


# %%
# A change is seen if the result is another one: in the same block, and in a new one.


def seen_by(change):
    layer = deepcopy(start)
    with torch.autocast(device.type, torch.bfloat16):
        before = layer(x)
        change(layer)
        same_block = layer(x)
    with torch.autocast(device.type, torch.bfloat16):
        new_block = layer(x)
    return not torch.equal(same_block, before), not torch.equal(new_block, before)


seen = {name: seen_by(change) for name, change in (IN_PLACE | NEW).items()}
for name, (same_block, new_block) in seen.items():
    print(f"{name:>23}: seen {same_block} in the same block, {new_block} in a new one")

measured = {
    "in_place": len(IN_PLACE),
    "in_place_seen": sum(seen[name][0] for name in IN_PLACE),
    "new": len(NEW),
    "new_seen": sum(seen[name][0] for name in NEW),
    "changes": len(seen),
    "seen_in_a_new_block": sum(new_block for _, new_block in seen.values()),
}
