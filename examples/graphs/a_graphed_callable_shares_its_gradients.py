"""
A graphed callable shares its gradients
=======================================

Can I accumulate gradients with a graphed callable? Only if each gradient has memory of its own
before the first backward pass: otherwise it is the memory into which each replay writes, and the
sum comes out as twice the last gradient.
"""

# sphinx_gallery_evidence = {"expected_warnings": [".*AccumulateGrad", "Attempting to run cuBLAS"]}
import copy

import torch

torch.manual_seed(0)
layers = torch.nn.Linear(64, 128), torch.nn.Tanh(), torch.nn.Linear(128, 1)
plain = torch.nn.Sequential(*layers).cuda()
model, batches = copy.deepcopy(plain), torch.randn(2, 32, 64, device="cuda")
torch.cuda.make_graphed_callables(model, (batches[0],))

for parameter in model.parameters():  # memory of its own for each gradient
    parameter.grad = torch.zeros_like(parameter)
for batch in batches:
    for module in (model, plain):
        module(batch).mean().backward()
pairs = zip(model.parameters(), plain.parameters())
print(max((a.grad - b.grad).abs().max().item() for a, b in pairs))

# %%
# Ways to add the gradients of two batches, or to begin a second step. Each returns the batches
# whose gradients it should have.


def backward(module, *batches):
    for batch in batches:
        module(batch).mean().backward()


def from_none(a, b):
    model.zero_grad()
    backward(model, a, b)
    return a, b


def from_zeros(a, b):
    for parameter in model.parameters():
        parameter.grad = torch.zeros_like(parameter)
    backward(model, a, b)
    return a, b


def set_to_zero(a, b):
    model.zero_grad()
    backward(model, a)
    model.zero_grad(set_to_none=False)
    backward(model, b)
    return (b,)


def set_to_none(a, b):
    model.zero_grad()
    backward(model, a)
    model.zero_grad()
    backward(model, b)
    return (b,)


def forward_twice(a, b):
    model.zero_grad()
    (model(a).mean() + model(b).mean()).backward()
    return a, b


# %%
# How far are the gradients from those of the plain module? Twice the last gradient is told apart.

TRIES = 20


def vector(module):
    return torch.cat([one.grad.flatten() for one in module.parameters()])


def error(found, wanted):
    return ((found - wanted).norm() / wanted.norm()).item()


def count(way):
    wrong = doubled = 0
    for _ in range(TRIES):
        a, b = torch.randn(2, 32, 64, device="cuda")
        plain.zero_grad()
        wanted = way(a, b)
        backward(plain, *wanted)
        wrong += error(vector(model), vector(plain)) > 0.01
        plain.zero_grad()
        backward(plain, b)
        doubled += error(vector(model), 2 * vector(plain)) < 0.01
    return {"way": way.__name__, "wrong": wrong, "doubled": doubled}


WAYS = (from_none, from_zeros, set_to_zero, set_to_none, forward_twice)
rows = [count(way) for way in WAYS]
print(*rows, sep="\n")

# %%
# Is a gradient that began as None the memory of the one before?

places = set()
for batch in batches:
    set_to_none(batch, batch)
    places.add(model[0].weight.grad.data_ptr())

measured = {
    "tries": TRIES,
    "by_way": {"table": rows},
    "one_place": len(places) == 1,
}
