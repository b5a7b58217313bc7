"""
A cast weight is kept until the block ends
==========================================

When does autocast cast a changed weight again? When the outermost block has ended or the cache
is cleared; the end of a nested block does not clear it.
"""

# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
layer = torch.nn.Linear(64, 64).to(device)
x = torch.randn(16, 64, device=device)

with torch.autocast(device.type, torch.bfloat16):
    first = layer(x)
    with torch.no_grad():
        layer.weight.mul_(2)
    stale = layer(x)
    torch.clear_autocast_cache()
    fresh = layer(x)
print(f"stale: {torch.equal(stale, first)}, fresh: {not torch.equal(fresh, first)}")

# %%
# After a change in place, the next forward pass may follow something, or run in something.

from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy

from torch.utils.checkpoint import checkpoint

cast = torch.autocast
start = deepcopy(layer)


def in_its_own_block(layer):
    with cast(device.type, torch.bfloat16):
        return layer(x)


def behind(act):
    def forward(layer):
        act(layer)
        return layer(x)

    return forward


def within(context, **options):
    def forward(layer):
        with context(**options):
            return layer(x)

    return forward


def after_another_block(layer, **options):
    with cast(device.type, torch.bfloat16, **options):
        layer(x)


def in_a_thread(layer):
    with ThreadPoolExecutor(1) as threads:
        threads.submit(in_its_own_block, layer).result()


def backward_of_a_checkpoint(_):
    other = torch.nn.Linear(64, 64).to(device)
    checkpoint(other, x, use_reentrant=False).sum().backward()


# %%
# What comes before the next forward pass, or around it, and changes nothing.

BLOCK = {"device_type": device.type, "dtype": torch.bfloat16}
KEEPING = {
    "nothing": lambda layer: layer(x),
    "backward": behind(lambda layer: layer(x).sum().backward()),
    "eval": behind(torch.nn.Module.eval),
    "no_grad": within(torch.no_grad),
    "a nested block": within(cast, **BLOCK),
    "after a nested block": behind(after_another_block),
}


# %%
# Is its result the one that a block of its own gives with the changed weight?


def refreshes(forward):
    layer = deepcopy(start)
    with cast(device.type, torch.bfloat16):
        layer(x)
        layer.weight.detach().mul_(2)
        result = forward(layer)
    return torch.equal(result, in_its_own_block(layer))


def count_fresh(forwards):
    fresh = {name: refreshes(forward) for name, forward in forwards.items()}
    print(fresh)
    return sum(fresh.values())


measured = {
    "keeping": len(KEEPING),
    "stale": len(KEEPING) - count_fresh(KEEPING),
    "fresh_after_clearing": refreshes(behind(lambda _: torch.clear_autocast_cache())),
    "fresh_without_the_cache": refreshes(within(cast, **BLOCK, cache_enabled=False)),
    "fresh_after_a_thread": refreshes(behind(in_a_thread)),
    "fresh_after_a_checkpoint": refreshes(behind(backward_of_a_checkpoint)),
}
print(measured)
