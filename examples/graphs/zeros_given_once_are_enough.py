"""
Zeros given once are enough
===========================

Must gradients for a graphed callable be made anew in each step? No: once they have memory of their
own, ``zero_grad(set_to_none=False)`` clears them there, and their sums stay right.
"""

# sphinx_gallery_evidence = {"expected_warnings": [".*AccumulateGrad", "Attempting to run cuBLAS"]}
# sphinx_gallery_quiet = "nothing"
import copy

import torch

torch.manual_seed(0)
layers = torch.nn.Linear(64, 128), torch.nn.Tanh(), torch.nn.Linear(128, 1)
plain = torch.nn.Sequential(*layers).cuda()
model = copy.deepcopy(plain)
torch.cuda.make_graphed_callables(model, (torch.randn(32, 64, device="cuda"),))
optimizer = torch.optim.AdamW(model.parameters())

for parameter in model.parameters():  # once
    parameter.grad = torch.zeros_like(parameter)
for _ in range(3):
    optimizer.zero_grad(set_to_none=False)
    for batch in torch.randn(2, 32, 64, device="cuda"):
        model(batch).square().mean().backward()
    optimizer.step()

# %%
# Each step adds the gradients of three batches, and so does a twin without a graph. Gradients begin
# as zeros or as None; some are clipped. Then the twin takes over the weights.

STEPS = 20


def zeros(module):
    for parameter in module.parameters():
        parameter.grad = torch.zeros_like(parameter)


def gradients(module):
    return torch.cat([parameter.grad.flatten() for parameter in module.parameters()])


def backward(module, batches, clip):
    for batch in batches:
        module(batch).square().mean().backward()
    if clip:
        torch.nn.utils.clip_grad_norm_(module.parameters(), 0.1)
    return gradients(module)


def count(way, begin=zeros, clear=torch.nn.Module.zero_grad, clip=False, **options):
    twin = copy.deepcopy(plain)
    model.load_state_dict(twin.state_dict())
    begin(model)
    optimizer, wrong, places = torch.optim.AdamW(model.parameters()), 0, set()
    for batches in torch.randn(STEPS, 3, 32, 64, device="cuda"):
        clear(model, **options)
        twin.zero_grad()
        found, wanted = (backward(module, batches, clip) for module in (model, twin))
        wrong += ((found - wanted).norm() > 0.01 * wanted.norm()).item()
        places.add(model[0].weight.grad.data_ptr())
        optimizer.step()
        twin.load_state_dict(model.state_dict())
    return {"way": way, "wrong": wrong, "one_place": len(places) == 1}


rows = [
    count("zeros once", set_to_none=False),
    count("zeros once, clipped", set_to_none=False, clip=True),
    count("zeros in each step", clear=zeros),
    count("zeros once, then None", set_to_none=True),
    count("None at first", begin=torch.nn.Module.zero_grad, set_to_none=False),
]
print(*rows, sep="\n")

measured = {"steps": STEPS, "by_way": {"table": rows}}
