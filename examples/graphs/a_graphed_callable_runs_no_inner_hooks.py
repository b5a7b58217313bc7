"""
A graphed callable runs no inner hooks
======================================

Which hooks run with a graphed callable? Those of the module that was passed, if they are registered
afterwards, and those of a weight or the input. A replay runs no Python: hooks of inner modules stay
silent, in the backward pass, too.
"""

# sphinx_gallery_evidence = {"expected_warnings": [".*AccumulateGrad", "Attempting to run cuBLAS"]}
# sphinx_gallery_quiet = "nothing"
import copy
import gc

import torch
from torch import nn

torch.manual_seed(0)
plain = nn.Sequential(nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 64)).cuda()
model, sample = copy.deepcopy(plain), torch.randn(32, 64, device="cuda")
torch.cuda.make_graphed_callables(model, (sample,))

model.register_forward_hook(lambda *_: print("a hook of the module"))
model[0].register_forward_hook(lambda *_: print("a hook of an inner module"))
model(sample)

# %%
# Hooks of the module, of an inner module, of a weight and of the input: how often does each run, in
# as many tries with new inputs, and how often does it see what it sees in the plain module? How
# many of the tensors are still right at the end, if the hook kept them without a copy? Those of an
# inner module can also be registered before, and may run while the callable is made.

TRIES = 20
OUTER = [f"{way}_hook" for way in ("forward_pre", "forward", "full_backward_pre")]
OUTER += ["full_backward_hook", "full_backward_hook, grad_input"]
PLACES = {"module": OUTER, "inner": OUTER, "inner, before": OUTER}
PLACES |= dict.fromkeys(("weight", "input"), ("hook", "post_accumulate_grad_hook"))


def add_hook(module, leaf, place, name):
    seen, (name, _, of_input) = [], name.partition(", ")

    def hook(*args):  # keeps the last tensor of what it is given
        given = args[1] if of_input else args[-1]
        last = given[-1] if isinstance(given, tuple) else given
        last = (last.grad if "accumulate" in name else last).detach()
        seen.append((last.clone(), last))

    owners = {"module": module, "weight": module[0].weight, "input": leaf}
    getattr(owners.get(place, module[0]), f"register_{name}")(hook)
    return seen


def run(module, leaf, inputs):
    for x in inputs:
        module.zero_grad()
        leaf.data, leaf.grad = x, None
        module(leaf).square().sum().backward()


def compare(place, name):
    module, mine = copy.deepcopy(plain), copy.deepcopy(plain)
    leaf, other, given = (sample.clone().requires_grad_() for _ in range(3))
    wanted = add_hook(module, leaf, place, name)
    found = add_hook(mine, other, place, name) if "before" in place else []
    gc.collect()  # a graph that is freed during a capture ends it
    torch.cuda.make_graphed_callables(mine, (given,))
    made = len(found)
    if "before" not in place:
        found = add_hook(mine, other, place, name)
    inputs = torch.randn(TRIES, *sample.shape, device="cuda")
    run(module, leaf, inputs)
    run(mine, other, inputs)
    row = {"hook": f"{place}, {name}", "when_made": made, "plain": len(wanted)}
    pairs = [(*one, copied) for one, (copied, _) in zip(found[made:], wanted)]
    right, kept = (sum(torch.allclose(p[i], p[2]) for p in pairs) for i in (0, 1))
    return row | {"ran": len(found) - made, "right": right, "kept": kept}


rows = [compare(place, name) for place, names in PLACES.items() for name in names]
print(*rows, sep="\n")

# %%
# An input and a layer that the result does not use: which gradients have they, once
# ``allow_unused_input`` permits them, and does the rest have that of the plain module?


class Partly(nn.Module):
    def __init__(self):
        super().__init__()
        self.used, self.unused = nn.Linear(64, 64), nn.Linear(64, 64)

    def forward(self, x, _):
        return self.used(x)


def gradients(module, *inputs):
    module.zero_grad()
    leaves = [x.clone().requires_grad_() for x in inputs]
    module(*leaves).square().sum().backward()
    used, unused = (
        [leaf, *part.parameters()] for leaf, part in zip(leaves, module.children())
    )
    return [x.grad for x in used], [x.grad for x in unused]


partly, given = Partly().cuda(), (sample.clone().requires_grad_() for _ in range(2))
mine = copy.deepcopy(partly)
gc.collect()
torch.cuda.make_graphed_callables(mine, tuple(given), allow_unused_input=True)
right = none = plain_none = 0
for inputs in torch.randn(TRIES, 2, *sample.shape, device="cuda"):
    (found, unused), (wanted, others) = (gradients(m, *inputs) for m in (mine, partly))
    right += all(map(torch.allclose, found, wanted))
    none, plain_none = none + unused.count(None), plain_none + others.count(None)

measured = {"tries": TRIES, "by_hook": {"table": rows}, "right": right}
measured |= {"unused": 3 * TRIES, "none": none, "plain_none": plain_none}
