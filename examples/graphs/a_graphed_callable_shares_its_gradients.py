"""
A graphed callable shares its gradients
=======================================

Can I accumulate gradients with a graphed callable? Only if each gradient has memory of its own
before the first backward pass: otherwise it is the memory into which each replay writes, and the
sum comes out as twice the last gradient.
"""

# sphinx_gallery_evidence = {"expected_warnings": [".*AccumulateGrad", "Attempting to run cuBLAS"]}
# sphinx_gallery_quiet = "nothing"
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


def give_zeros():
    for parameter in model.parameters():
        parameter.grad = torch.zeros_like(parameter)


def from_zeros(a, b):
    give_zeros()
    backward(model, a, b)
    return a, b


def set_to_none(a, b, to_none=True):
    model.zero_grad()
    backward(model, a)
    model.zero_grad(to_none)
    backward(model, b)
    return (b,)


def set_to_zero(a, b):
    return set_to_none(a, b, to_none=False)


def forward_twice(a, b):
    give_zeros()
    (model(a).mean() + model(b).mean()).backward()
    return a, b


def backward_of_the_first(a, b):
    give_zeros()
    first, _ = model(a).mean(), model(b).mean()
    first.backward()
    return (a,)


# %%
# Are the gradients those of the plain module? If not, are they that of the last batch, or twice it?

TRIES = 20


def is_near(factor, *batches):
    plain.zero_grad()
    backward(plain, *batches)
    found, wanted = (
        torch.cat([one.grad.flatten() for one in module.parameters()])
        for module in (model, plain)
    )
    return ((found - factor * wanted).norm() < 0.01 * factor * wanted.norm()).item()


def count(way):
    wrong = doubled = last = 0
    for _ in range(TRIES):
        a, b = torch.randn(2, 32, 64, device="cuda")
        wrong += not is_near(1, *way(a, b))
        doubled += is_near(2, b)
        last += is_near(1, b)
    return {"way": way.__name__, "wrong": wrong, "doubled": doubled, "last": last}


WAYS = from_none, from_zeros, set_to_zero, set_to_none
rows = [count(way) for way in (*WAYS, forward_twice, backward_of_the_first)]
print(*rows, sep="\n")

# %%
# Is a gradient that began as None the memory of the one before?

places = set()
for batch in batches:
    set_to_none(batch, batch)
    places.add(model[0].weight.grad.data_ptr())

measured = {"tries": TRIES, "by_way": {"table": rows}, "one_place": len(places) == 1}
