"""
Compiled gradients need memory of their own
===========================================

Can I accumulate gradients with ``mode="reduce-overhead"``? Not if they begin as None: then they are
results of a graph, which the next batch overwrites. With zeros in memory of their own, they add up.
"""

# sphinx_gallery_evidence = {"fresh": True, "timeout": 120, "expected_warnings": [".*"]}
# sphinx_gallery_quiet = "nothing"
import torch

torch.manual_seed(0)
layers = torch.nn.Linear(64, 128), torch.nn.Tanh(), torch.nn.Linear(128, 1)
model = torch.nn.Sequential(*layers).cuda()
compiled = torch.compile(model, mode="reduce-overhead")
batches = torch.randn(2, 32, 64, device="cuda")

for parameter in model.parameters():  # memory of its own for each gradient
    parameter.grad = torch.zeros_like(parameter)
for _ in range(4):
    model.zero_grad(set_to_none=False)
    for batch in batches:
        compiled(batch).mean().backward()
print(model[0].weight.grad.norm().item())

# %%
# The same steps with new batches, once with gradients that begin as None. The wanted gradients come
# from a copy of the model that is not compiled.

from copy import deepcopy

STEPS = 8
plain = deepcopy(model)


def vector(module):
    return torch.cat([one.grad.flatten() for one in module.parameters()])


def state(batches, to_none):
    plain.zero_grad()
    for batch in batches:
        plain(batch).mean().backward()
    wanted = vector(plain)
    model.zero_grad(set_to_none=to_none)
    try:
        for batch in batches:
            compiled(batch).mean().backward()
        found = vector(model)
    except RuntimeError as error:
        return "raised" if "overwritten by a subsequent run" in str(error) else "?"
    return "right" if (found - wanted).norm() < 0.01 * wanted.norm() else "wrong"


def states(to_none):
    torch.compiler.reset()
    data = torch.randn(STEPS, 2, 32, 64, device="cuda")
    return [state(pair, to_none) for pair in data]


zeros, none = states(False), states(True)
print(zeros, none, sep="\n")

LATE = STEPS - 2  # steps after the warm-up and the recording
measured = {
    "steps": STEPS,
    "zeros_right": zeros.count("right"),
    "none_right": none.count("right"),
    "none_first": none[0],
    "late": LATE,
    "late_wrong": none[-LATE:].count("wrong"),
}
