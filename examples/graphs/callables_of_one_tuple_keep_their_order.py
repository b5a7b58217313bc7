"""
Callables of one tuple keep their order
=======================================

May callables that were graphed together run in any order? No: they share their memory. Backward
passes must run in the reverse order of the tuple, as those of a sum do; in the other order, one
overwrites what the other needs, and gradients are wrong.
"""

# sphinx_gallery_evidence = {"fresh": True, "expected_warnings": [".*AccumulateGrad", "Attempting"]}
# sphinx_gallery_quiet = "nothing"
from copy import deepcopy

import torch


def layers():
    parts = [torch.nn.Linear(512, 512), torch.nn.GELU(), torch.nn.Linear(512, 512)]
    return torch.nn.Sequential(*parts).cuda()


first, second = layers(), layers()
plain = deepcopy(first), deepcopy(second)
sample = torch.randn(512, 512, device="cuda")
graphed = torch.cuda.make_graphed_callables((first, second), ((sample,), (sample,)))

# %%
# The same two models, graphed one by one: each has memory of its own.

apart = tuple(
    torch.cuda.make_graphed_callables(deepcopy(model), (sample,)) for model in plain
)

# %%
# Each way runs both forward and both backward passes on a new batch.


def loss(model, x):
    return model(x).square().sum()


def together(models, x):
    (loss(models[0], x) + loss(models[1], x)).backward()


def in_reverse(models, x):
    one, two = (loss(model, x) for model in models)
    two.backward()
    one.backward()


def in_the_same_order(models, x):
    one, two = (loss(model, x) for model in models)
    one.backward()
    two.backward()


def forward_the_other_way_round(models, x):
    two, one = loss(models[1], x), loss(models[0], x)
    two.backward()
    one.backward()


def one_after_the_other(models, x):
    for model in models:
        loss(model, x).backward()


# %%
# How often are gradients wrong? Each begins as ``None``, and is compared with that of the plain
# model, which the same way computes.

TRIES = 10


def is_right(model, reference):
    pairs = zip(model.parameters(), reference.parameters())
    return all(
        torch.allclose(p.grad, r.grad, 1e-3, 1e-4 * r.grad.abs().max().item())
        for p, r in pairs
    )


def wrong(way, models):
    counts = [0, 0]
    for _ in range(TRIES):
        x = torch.randn(512, 512, device="cuda")
        for model in (*models, *plain):
            model.zero_grad()
        way(models, x)
        for reference in plain:
            loss(reference, x).backward()
        for i in range(2):
            counts[i] += not is_right(models[i], plain[i])
    return counts


WAYS = (together, in_reverse, one_after_the_other)
WAYS += (forward_the_other_way_round, in_the_same_order)
rows = []
for way in WAYS:
    for name, models in {"one tuple": graphed, "apart": apart}.items():
        of_first, of_second = wrong(way, models)
        row = {"case": f"{way.__name__}, {name}"}
        rows.append(row | {"first_wrong": of_first, "second_wrong": of_second})
print(*rows, sep="\n")

measured = {"tries": TRIES, "by_case": {"table": rows}}
