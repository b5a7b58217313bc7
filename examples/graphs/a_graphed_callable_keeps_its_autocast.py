"""
A graphed callable keeps its autocast
=====================================

Does a callable that was graphed under autocast give the results of its module? Its graphs hold the
casts, and run them wherever it is called. They also hold the backward pass as it ran in the block.
"""

# sphinx_gallery_evidence = {"expected_warnings": [".*AccumulateGrad", "Attempting to run cuBLAS"]}
# sphinx_gallery_quiet = "nothing"
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, module, **settings):
        super().__init__()
        self.module, self.settings = module, settings

    def forward(self, x):
        with torch.autocast("cuda", **self.settings):
            return self.module(x)


words = torch.randint(1000, (64,), device="cuda")
layers = nn.Embedding(1000, 128), nn.Linear(128, 128)
encoder = Block(nn.Sequential(*layers).cuda(), dtype=torch.bfloat16)
torch.cuda.make_graphed_callables(encoder, (words,))
print(encoder(words).dtype)

# %%
# That module opens its block itself. Another way is a block around the making of the callable.

import copy

import torch
from torch import autocast, nn

torch.manual_seed(0)
layers = nn.LayerNorm(128), nn.Linear(128, 128), nn.Tanh(), nn.Linear(128, 128)
plain = nn.Sequential(*layers).cuda()
model, (sample, x) = copy.deepcopy(plain), torch.randn(2, 64, 128, device="cuda")
with autocast("cuda", torch.bfloat16, cache_enabled=False):
    torch.cuda.make_graphed_callables(model, (sample,))
with autocast("cuda", torch.bfloat16):
    print("the same:", torch.equal(model(x), plain(x)))
print("outside the block:", model(x).dtype, plain(x).dtype)

# %%
# Are results and gradients the same to the last bit? In each try, weights and inputs are new.
# Others should differ: those of older inputs, of the first weights, and of the module in FP32.

import gc
from collections import Counter
from contextlib import nullcontext

norm, first, tanh, last = layers
MODULES = {"once": plain, "twice": nn.Sequential(norm, first, tanh, first)}
MODULES["FP32 part"] = nn.Sequential(first, tanh, norm, Block(last, enabled=False))
MODULES["indices"] = nn.Sequential(nn.Embedding(128, 128).cuda(), last)
TRIES, KINDS, WAYS = 20, (torch.bfloat16, torch.float16), ("around", "own block")


def graphed(module, x, dtype, way="around"):
    gc.collect()  # a graph that is freed during a capture ends it
    own, given = way == "own block", x.clone().requires_grad_(x.is_floating_point())
    module = copy.deepcopy(Block(module, dtype=dtype) if own else module)
    with nullcontext() if own else autocast("cuda", dtype, cache_enabled=False):
        return torch.cuda.make_graphed_callables(module, (given,))


def passes(module, x, block, inside=False):
    module.zero_grad()
    leaf = x.clone().requires_grad_(x.is_floating_point())
    with block:
        loss = (result := module(leaf)).float().square().sum()
    with block if inside else nullcontext():
        loss.backward()
    gradients = (t.grad for t in (leaf, *module.parameters()) if t.requires_grad)
    return [tensor.detach().float().clone() for tensor in (result, *gradients)]


def compare(name, dtype, way):
    batches = torch.randn(TRIES, 2, *sample.shape, device="cuda")
    batches = batches.argmax(-1) if name == "indices" else batches
    mine, counts = graphed(start := MODULES[name], batches[0, 0], dtype, way), Counter()
    module, optimizer = copy.deepcopy(start), torch.optim.SGD(mine.parameters(), 1e-3)
    cached, uncached = (autocast("cuda", dtype, cache_enabled=c) for c in (True, False))
    blocks = {"cached": cached, "uncached": uncached, "inside": uncached}
    for older, x in batches:
        before = passes(mine, older, nullcontext())
        optimizer.step()
        for old, new in zip(module.parameters(), mine.parameters()):
            old.data.copy_(new.data)
        found = passes(mine, x, cached)
        others = before, passes(start, x, cached), passes(module, x, nullcontext())
        counts["others"] += sum(any(map(torch.equal, found, one)) for one in others)
        for key, block in blocks.items():
            result, *pairs = zip(found, passes(module, x, block, key == "inside"))
            counts["results"] += key == "cached" and torch.equal(*result)
            counts[key] += all(torch.equal(*pair) for pair in pairs)
            off = max(((a - b).norm() / b.norm()).item() for a, b in pairs)
            counts[f"{key}_off_share"] = max(off, counts[f"{key}_off_share"])
    return {"case": f"{name}, {str(dtype)[6:]}, {way}", **counts}


rows = [compare(name, kind, way) for name in MODULES for kind in KINDS for way in WAYS]
print(*rows, sep="\n")

# Called elsewhere than it was made: which type, and are the bits those of the module in the block?
BLOCKS = {"its block": autocast("cuda", torch.bfloat16), "outside": nullcontext()}
BLOCKS["FP16 block"] = autocast("cuda", torch.float16)
mine, calls = graphed(plain, sample, torch.bfloat16), []
batches = torch.randn(TRIES, *sample.shape, device="cuda")
wanted = [(x, passes(plain, x, BLOCKS["its block"])) for x in batches]
for name, block in BLOCKS.items():
    with block:
        types = [str(module(sample).dtype)[6:] for module in (mine, plain)]
    same = sum(all(map(torch.equal, passes(mine, x, block), w)) for x, w in wanted)
    calls += [{"called": name, "type": types[0], "plain": types[1], "same": same}]
measured = {"tries": TRIES, "by_module": {"table": rows}, "by_call": {"table": calls}}
