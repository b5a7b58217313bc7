"""
Page: frozen_weights.md.
Sentence: "it was stale ... after `backward()`" and "each forward pass uses the 16-bit weights of the
first one"; a block's end in ANOTHER thread clears the copies, says the page, "A loop may thus seem to
learn as long as another thread runs a model under autocast."
Attack: on a GPU, backward itself runs in another thread. Whatever opens an autocast block there, ends
it there at nesting 0 and clears the shared copies: torch.utils.checkpoint (recomputation), a custom
Function with custom_fwd/custom_bwd, a hook that evaluates something under autocast. So a loop in one
block learns with activation checkpointing.
Refuted if after backward() of such a model the next forward pass in the block is right, where a plain
model's is stale.
"""
from copy import deepcopy

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

device = "cuda" if torch.cuda.is_available() else "cpu"
BF16 = torch.bfloat16
torch.manual_seed(0)
x = torch.randn(256, 64, device=device)
wanted = torch.randn(256, 8, device=device)


class Product(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type=device)
    def forward(ctx, a):
        ctx.save_for_backward(a)
        return a * 2

    @staticmethod
    @torch.amp.custom_bwd(device_type=device)
    def backward(ctx, grad):
        return grad * 2


layers = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 8)).to(device)


def plain(model):
    return model(x)


def checkpointed(model, reentrant=False):
    given = x.clone().requires_grad_() if reentrant else x
    return model[2](checkpoint(model[:2], given, use_reentrant=reentrant))


def with_function(model):
    return model[2](Product.apply(model[:2](x)))


def with_hook(model):
    hidden = model[:2](x)

    def look(grad):
        with torch.autocast(device, BF16):
            pass

    hidden.register_hook(look)
    return model[2](hidden)


WAYS = {
    "plain": plain,
    "checkpoint": checkpointed,
    "checkpoint, reentrant": lambda m: checkpointed(m, True),
    "custom Function": with_function,
    "a hook with a block": with_hook,
}
fresh, falls = {}, {}
for name, forward in WAYS.items():
    model = deepcopy(layers)
    with torch.autocast(device, BF16):
        forward(model)
        with torch.no_grad():
            [p.mul_(1.5) for p in model.parameters()]
        forward(model).float().sum().backward()
        result = plain(model)
    with torch.autocast(device, BF16):
        right = plain(model)
    fresh[name] = torch.equal(result, right)
    model = deepcopy(layers)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    losses = []
    with torch.autocast(device, BF16):
        for _ in range(40):
            loss = nn.functional.mse_loss(forward(model).float(), wanted)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            losses.append(loss.item())
    falls[name] = losses[-1] / losses[0]
    print(f"{name}: the next forward pass is {'right' if fresh[name] else 'stale'}; 40 steps in one block: loss {falls[name]:.3f} of the first")
unfrozen = [n for n in WAYS if n != "plain" and fresh[n] and falls[n] < 0.95]
if unfrozen and not fresh["plain"]:
    print(f"REFUTED: after backward() the copies were gone, and one block around the loop learned, with {unfrozen}")
else:
    print(f"NOT REFUTED: fresh after backward: {fresh}; losses: {falls}")
