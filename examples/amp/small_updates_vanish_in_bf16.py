"""
Small updates vanish in BF16
============================

Why do weights in BF16 stop moving? An update smaller than half the distance to the next BF16 number
is rounded away. Keep the weights in FP32, and let autocast cast them, or round at random.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch import nn

gpu = torch.accelerator.current_accelerator(check_available=True)
device = gpu or torch.device("cpu")
norm = nn.LayerNorm(512).to(device, torch.bfloat16)  # its weights are ones
optimizer = torch.optim.Adam(norm.parameters(), lr=1e-3)
x = torch.randn(64, 512).to(device, torch.bfloat16)
for _ in range(100):
    optimizer.zero_grad()
    norm(x).square().mean().backward()
    optimizer.step()
print(f"the weights lie between {norm.weight.min()} and {norm.weight.max()}")

# %%
# The first step of Adam moves each weight by the learning rate, up or down, however large its
# gradient is. Which share of the weights of a linear layer stays the same?

WIDTH, RATES = 512, ("0.01", "0.001", "0.0001", "0.00001", "0.000001")


def first_step(rate, dtype):
    torch.manual_seed(0)
    layer = nn.Linear(WIDTH, WIDTH).to(device, dtype)
    x = torch.randn(256, WIDTH).to(device)
    before = layer.weight.detach().clone()
    optimizer = torch.optim.Adam(layer.parameters(), lr=float(rate))
    with torch.autocast(device.type, torch.bfloat16):
        layer(x).square().mean().backward()
    optimizer.step()
    return (layer.weight == before).float().mean().item()


rates = []
for rate in RATES:
    row = {"rate": rate, "bf16_unmoved_share": first_step(rate, torch.bfloat16)}
    rates.append(row | {"fp32_unmoved_share": first_step(rate, torch.float32)})
    print(rates[-1])

# %%
# A training makes more than one step. The weights of this layer begin at one, as those of a norm,
# and the best ones are zero. Rounding at random goes up as often as the remainder demands: noise is
# added to the bits that BF16 cuts off.


def round_at_random(values):
    bits = values.view(torch.int32)
    noise = torch.randint_like(bits, 2**16)
    rounded = ((bits + noise) & -(2**16)).view(torch.float32)
    return torch.where(values.isfinite(), rounded, values).bfloat16()


def train(dtype, rounding=None):
    torch.manual_seed(0)
    weight = torch.ones(WIDTH, device=device, dtype=dtype)
    master = weight.float().requires_grad_() if rounding else weight.requires_grad_()
    optimizer = torch.optim.Adam([master], lr=RATE)
    for _ in range(STEPS):
        optimizer.zero_grad()
        master.square().sum().backward()
        optimizer.step()
        if rounding:
            with torch.no_grad():
                master.copy_(rounding(master))
    return master.mean().item()


RATE, STEPS = 1e-3, 500
ways = [
    {"way": "FP32", "mean": train(torch.float32)},
    {"way": "BF16", "mean": train(torch.bfloat16)},
    {"way": "rounded to nearest", "mean": train(torch.bfloat16, torch.Tensor.bfloat16)},
    {"way": "rounded at random", "mean": train(torch.bfloat16, round_at_random)},
]
print(*ways, sep="\n")

# %%
# The mean of the weights was one at first.

measured = {
    "steps": STEPS,
    "norm_weights": norm.weight.numel(),
    "norm_moved": (norm.weight != 1).sum().item(),
    "by_rate": {"table": rates},
    "by_way": {"table": ways},
}
