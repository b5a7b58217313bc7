"""
A skipped first step leaves momentum unset
==========================================

Does a skipped step leave fused SGD as it was? Not the first one: it allocates the momentum, and
the kernel skips before it has written to it. The next step uses what was in that memory.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch import nn

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
SIZE = 2**19  # elements: memory that the allocator hands out again as a whole

weight = nn.Parameter(torch.zeros(SIZE, device=device))
optimizer = torch.optim.SGD([weight], lr=0.1, momentum=0.9, fused=True)
scaler = torch.amp.GradScaler(device.type)

scaler.scale((weight * torch.inf).sum()).backward()
scaler.step(optimizer)
scaler.update()
print("momentum" if optimizer.state[weight] else "no momentum", "after a skipped step")

# %%
# The remedy gives it a momentum of zeros at the start.


def zero_momentum(optimizer):
    """Give each parameter a momentum of zeros, before the first step."""
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            zeros = torch.zeros_like(parameter)
            optimizer.state[parameter]["momentum_buffer"] = zeros


# %%
# Tensors full of sevens are deleted just before each step, every other one of them: the holes
# have the size of the momentum, which gets one of them. One step overflows, then a good step with
# a gradient of one follows.

TRIES = 10
SEVEN = 7.0


def first_good_step(kind=torch.optim.SGD, skip_first=True, zeros=False, **settings):
    weight = nn.Parameter(torch.zeros(SIZE, device=device))
    optimizer = kind([weight], lr=0.1, **settings)
    if zeros:
        zero_momentum(optimizer)
    scaler = torch.amp.GradScaler(device.type)
    for batch in (torch.inf, 1.0) if skip_first else (1.0,):
        optimizer.zero_grad()
        scaler.scale((weight * batch).sum()).backward()
        old = [torch.full((SIZE,), SEVEN, device=device) for _ in range(16)]
        del old[::2]
        scaler.step(optimizer)
        scaler.update()
    return weight.detach(), optimizer.state[weight].get("momentum_buffer", weight)


# %%
# With each optimizer here, the right first step moves each weight by the learning rate, to -0.1.
# A momentum of seven leaves one of 7.3, and the weight becomes -0.73. Deterministic algorithms
# fill new memory with NaN.

WAYS = {
    "fused": {"momentum": 0.9, "fused": True},
    "fused, deterministic": {"momentum": 0.9, "fused": True},
    "foreach, deterministic": {"momentum": 0.9, "foreach": True},
    "fused, zeros first": {"momentum": 0.9, "fused": True, "zeros": True},
    "fused, none skipped": {"momentum": 0.9, "fused": True, "skip_first": False},
    "fused, no momentum": {"fused": True},
    "fused Adam": {"kind": torch.optim.Adam, "fused": True},
    "foreach": {"momentum": 0.9, "foreach": True},
    "one by one": {"momentum": 0.9, "foreach": False},
}

ways = []
for name, settings in WAYS.items():
    wrong = sevens = broken = 0
    torch.use_deterministic_algorithms("deterministic" in name)
    for _ in range(TRIES):
        weight, momentum = first_good_step(**settings)
        broken += weight.isnan().all().item()
        wrong += not torch.allclose(weight, torch.full_like(weight, -0.1))
        sevens += torch.allclose(momentum, torch.full_like(momentum, 1 + 0.9 * SEVEN))
    ways.append({"way": name, "wrong": wrong, "sevens": sevens, "broken": broken})
    print(ways[-1])

# %%
# Where the sevens come back, the memory of a deleted tensor was the momentum.

measured = {"tries": TRIES, "by_way": {"table": ways}}
