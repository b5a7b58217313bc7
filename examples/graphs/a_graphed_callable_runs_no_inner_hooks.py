"""
A graphed callable runs no inner hooks
======================================

Which hooks run with a graphed callable? Those of the module that was passed, if they are registered
afterwards, and those of a weight. A replay runs no Python: hooks of inner modules stay silent.
"""

# sphinx_gallery_evidence = {"expected_warnings": [".*AccumulateGrad", "Attempting to run cuBLAS"]}
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
# Hooks of the module, of an inner module and of a weight: how often does each run, in as many
# tries with new inputs, and how often does it see what it sees in the plain module? Those of an
# inner module can also be registered before, and may run while the callable is made.

TRIES = 20
OUTER = (
    "forward_pre_hook",
    "forward_hook",
    "full_backward_pre_hook",
    "full_backward_hook",
)
WEIGHT = ("hook", "post_accumulate_grad_hook")
PLACES = {"module": OUTER, "inner": OUTER, "inner, before": OUTER, "weight": WEIGHT}


def add_hook(module, place, name):
    def hook(*args):  # keeps the last tensor of what it is given
        last = args[-1][-1] if isinstance(args[-1], tuple) else args[-1]
        seen.append((last.grad if last is weight else last).detach().clone())

    seen, weight = [], module[0].weight
    owner = {"module": module, "weight": weight}.get(place, module[0])
    getattr(owner, f"register_{name}")(hook)
    return seen


def run(module, inputs):
    for x in inputs:
        module.zero_grad()
        module(x.clone().requires_grad_()).square().sum().backward()


def compare(place, name):
    module, mine = copy.deepcopy(plain), copy.deepcopy(plain)
    wanted = add_hook(module, place, name)
    found = add_hook(mine, place, name) if "before" in place else []
    gc.collect()  # a graph that is freed during a capture ends it
    torch.cuda.make_graphed_callables(mine, (sample.clone().requires_grad_(),))
    made = len(found)
    if "before" not in place:
        found = add_hook(mine, place, name)
    inputs = torch.randn(TRIES, *sample.shape, device="cuda")
    run(module, inputs)
    run(mine, inputs)
    row = {"hook": f"{place}, {name}", "when_made": made, "plain": len(wanted)}
    right = sum(map(torch.allclose, found[made:], wanted))
    return row | {"ran": len(found) - made, "right": right}


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
