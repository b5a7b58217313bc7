"""
Rounding at random keeps small updates
======================================

Can weights be in BF16 alone, without a copy in FP32? An update that is too small for BF16 is lost,
step after step. Rounded up as often as its remainder demands, it is kept on average.
"""

# sphinx_gallery_quiet = "nothing"
import torch

gpu = torch.accelerator.current_accelerator(check_available=True)
device = gpu or torch.device("cpu")
torch.manual_seed(0)


def round_at_random(values):
    """Round FP32 to BF16: add noise to the bits that BF16 cuts off."""
    bits = values.view(torch.int32)
    noise = torch.randint_like(bits, 2**16)
    rounded = ((bits + noise) & -(2**16)).view(torch.float32)
    return torch.where(values.isfinite(), rounded, values).bfloat16()


weight = torch.ones(4096, device=device, dtype=torch.bfloat16, requires_grad=True)
for _ in range(100):
    (weight.float().square().sum() / 2).backward()
    with torch.no_grad():
        updated = weight.float() - 1e-3 * weight.grad.float()
        weight.copy_(round_at_random(updated))  # weight.copy_(updated) loses it
    weight.grad = None
print(f"from 1 to {weight.mean(dtype=torch.float32).item():.3f}, and 0.905 is right")

# %%
# The same loop, with other ways to round. In FP64, each weight shrinks by a thousandth a step.

RATE, STEPS, SIZE = 1e-3, 100, 4096


def train(dtype, rounding):
    torch.manual_seed(0)
    weight = torch.ones(SIZE, device=device, dtype=dtype, requires_grad=True)
    wide = torch.promote_types(dtype, torch.float32)
    for _ in range(STEPS):
        (weight.to(wide).square().sum() / 2).backward()
        with torch.no_grad():
            updated = weight.to(wide) - RATE * weight.grad.to(wide)
            weight.copy_(rounding(updated))
        weight.grad = None
    return weight.detach().double()


WAYS = {
    "FP64": (torch.float64, torch.clone),
    "FP32": (torch.float32, torch.clone),
    "rounded to nearest": (torch.bfloat16, torch.Tensor.bfloat16),
    "rounded at random": (torch.bfloat16, round_at_random),
}
results = {way: train(*given) for way, given in WAYS.items()}

# %%
# How far is the mean of the weights from FP64, and how far is one weight? Each weight is off by the
# noise of its own steps. The mean is not.

exact = results["FP64"]
rows = []
for way, weight in results.items():
    row = {"way": way, "mean": weight.mean().item()}
    row["moved"] = (weight != 1).sum().item()
    row["mean_error_share"] = abs(weight.mean() / exact.mean() - 1).item()
    row["weight_error_share"] = ((weight - exact).norm() / exact.norm()).item()
    rows.append(row)
    print(row)

# %%
# What must not change: numbers that BF16 has, of both signs, zeros, infinities and NaN. And a
# number between two of them becomes one or the other, as often as it lies near.

SPECIAL = 0.0, -0.0, 1.0, -1.5, 2.0**-130, torch.inf, -torch.inf, torch.nan
special = torch.tensor(SPECIAL, device=device)
rounded = round_at_random(special)
same = rounded.view(torch.int16) == special.bfloat16().view(torch.int16)
between = torch.full((2**20,), -1 - 2**-9, device=device)  # a quarter of the way
low = round_at_random(between)
found = sorted(low.unique().tolist())
print(same.tolist(), found, (low == found[0]).float().mean().item())

measured = {
    "steps": STEPS,
    "weights": SIZE,
    "by_way": {"table": rows},
    "special": len(SPECIAL),
    "special_same": same.sum().item(),
    "neighbors": len(found),
    "far_neighbor_share": (low == found[0]).float().mean().item(),
}
