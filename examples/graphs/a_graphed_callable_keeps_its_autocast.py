"""
A graphed callable keeps its autocast
=====================================

Does a callable that was graphed under autocast give the results of its module? Its graphs hold the
casts, and run them wherever it is called. They also hold the backward pass as it ran in the block.
"""

# sphinx_gallery_evidence = {"expected_warnings": [".*AccumulateGrad", "Attempting to run cuBLAS"]}
import collections
import copy
import gc
from contextlib import nullcontext

import torch
from torch import autocast, nn

torch.manual_seed(0)
layers = nn.LayerNorm(128), nn.Linear(128, 128), nn.Tanh(), nn.Linear(128, 128)
plain = nn.Sequential(*layers).cuda()
model, sample = copy.deepcopy(plain), torch.randn(64, 128, device="cuda")
with autocast("cuda", torch.bfloat16, cache_enabled=False):
    torch.cuda.make_graphed_callables(model, (sample,))

x = torch.randn(64, 128, device="cuda")
with autocast("cuda", torch.bfloat16):
    print("the same:", torch.equal(model(x), plain(x)))
print("behind the block:", model(x).dtype, plain(x).dtype)

# %%
# Modules in which the cache or the place of backward may matter: one uses a layer twice, another
# computes a part in FP32. A module may also open its block itself, and be graphed outside of any.


class Block(nn.Module):
    def __init__(self, module, **settings):
        super().__init__()
        self.module, self.settings = module, settings

    def forward(self, x):
        with autocast("cuda", **self.settings):
            return self.module(x.float())


norm, first, tanh, last = layers
MODULES = {"once": plain, "twice": nn.Sequential(norm, first, tanh, first)}
MODULES["FP32 part"] = nn.Sequential(norm, first, tanh, Block(last, enabled=False))


def graphed(module, dtype, way="around"):
    gc.collect()  # a graph that is freed during a capture ends it
    module, given = copy.deepcopy(module), sample.clone().requires_grad_()
    if way == "own block":
        return torch.cuda.make_graphed_callables(Block(module, dtype=dtype), (given,))
    with autocast("cuda", dtype, cache_enabled=False):
        return torch.cuda.make_graphed_callables(module, (given,))


# %%
# Are results and gradients the same to the last bit? In each try, weights and inputs are new.
# Others should differ: those of older inputs, of the first weights, and of the module in FP32.

TRIES = 20


def passes(module, x, block, inside=False):
    module.zero_grad()
    leaf = x.clone().requires_grad_()
    with block:
        loss = (result := module(leaf)).float().square().sum()
    with block if inside else nullcontext():
        loss.backward()
    gradients = (tensor.grad for tensor in (leaf, *module.parameters()))
    return [tensor.detach().float().clone() for tensor in (result, *gradients)]


def compare(name, dtype, way):
    mine, module = graphed(MODULES[name], dtype, way), copy.deepcopy(MODULES[name])
    start, optimizer = copy.deepcopy(module), torch.optim.SGD(mine.parameters(), 1e-3)
    cached, uncached = (autocast("cuda", dtype, cache_enabled=c) for c in (True, False))
    blocks = {"cached": cached, "uncached": uncached, "inside": uncached}
    counts = collections.Counter()
    for _ in range(TRIES):
        before = passes(mine, torch.randn_like(sample), nullcontext())
        optimizer.step()
        for old, new in zip(module.parameters(), mine.parameters()):
            old.data.copy_(new.data)
        x = torch.randn_like(sample)
        found = passes(mine, x, cached)
        others = before, passes(start, x, cached), passes(module, x, nullcontext())
        counts["others"] += sum(any(map(torch.equal, found, one)) for one in others)
        wanted = {k: passes(module, x, b, k == "inside") for k, b in blocks.items()}
        counts["results"] += all(torch.equal(found[0], w[0]) for w in wanted.values())
        for key, tensors in wanted.items():
            pairs = list(zip(found, tensors))[1:]
            counts[key] += all(torch.equal(*pair) for pair in pairs)
            off = max(((a - b).norm() / b.norm()).item() for a, b in pairs)
            counts[f"{key}_off_share"] = max(off, counts[f"{key}_off_share"])
    return {"case": f"{name}, {str(dtype)[6:]}, {way}", **counts}


KINDS, WAYS = (torch.bfloat16, torch.float16), ("around", "own block")
rows = [compare(name, kind, way) for name in MODULES for kind in KINDS for way in WAYS]
print(*rows, sep="\n")

# %%
# Called elsewhere than it was made: which type, and are the bits those of the module in the block?

BLOCKS = {"its block": autocast("cuda", torch.bfloat16), "behind": nullcontext()}
BLOCKS["FP16 block"] = autocast("cuda", torch.float16)
mine, calls = graphed(plain, torch.bfloat16), []
batches = torch.randn(TRIES, *sample.shape, device="cuda")
wanted = [passes(plain, x, BLOCKS["its block"]) for x in batches]
for name, block in BLOCKS.items():
    with block:
        types = [str(module(sample).dtype)[6:] for module in (mine, plain)]
    found = [passes(mine, x, block) for x in batches]
    same = sum(all(map(torch.equal, *pair)) for pair in zip(found, wanted))
    calls += [{"called": name, "type": types[0], "plain": types[1], "same": same}]
measured = {"tries": TRIES, "by_module": {"table": rows}, "by_call": {"table": calls}}
