"""
Page: docs/amp/formats.md (claim weights-rounded-at-random-move and the table's last row)
Sentence: "If the weights must be BF16, round the updated weight at random instead of to the nearest
number" with the function `round_at_random` shown on the page.

Attack: values that the function was not measured with. It adds noise to the bits: a NaN whose bits
are 0x7fffffff (the one that CUDA's arithmetic makes) overflows into the sign and becomes -0.0, so a
NaN in the weights silently becomes a zero; infinities, the largest finite numbers, zeros,
subnormals and negative numbers are also tried. Then the page's own training loop with one NaN
gradient: rounding to nearest keeps the NaN.

Refuted if `round_at_random` turns a NaN, as arithmetic on the device makes it, into a finite number.
"""

import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def round_at_random(values):  # as on the page
    bits = values.view(torch.int32)
    noise = torch.randint_like(bits, 2**16)
    return ((bits + noise) & -(2**16)).view(torch.float32).bfloat16()


def filled(value):
    return torch.full((4096,), value, device=device)


torch.manual_seed(0)
inf, zero = filled(torch.inf), filled(0.0)
makers = {
    "inf - inf": inf - inf, "0 / 0": zero / zero, "sqrt(-1)": filled(-1.0).sqrt(), "log(-1)": filled(-1.0).log(),
    "inf * 0": inf * zero, "0 + NaN": zero + (inf - inf), "torch.full NaN": filled(torch.nan),
    "bits 0x7fffffff": torch.full((4096,), 0x7FFFFFFF, dtype=torch.int32, device=device).view(torch.float32),
}
lost = []
for name, values in makers.items():
    rounded = round_at_random(values)
    finite = rounded.isfinite().float().mean().item()
    print({"nan_from": name, "bits": hex(values.view(torch.int32)[0].item() & 0xFFFFFFFF), "nearest_is_nan": values.bfloat16().isnan().all().item(),
           "finite_after_rounding_at_random": finite, "becomes": rounded[0].item()})
    if finite and not name.startswith("bits"):
        lost.append(f"{name} ({finite:.0%} become finite)")
for name, values in {"inf": inf, "-inf": -inf, "largest": filled(3.4e38), "1e-40": filled(1e-40), "-0.3": filled(-0.3)}.items():
    rounded = round_at_random(values).float()
    print({"value": name, "mean_ratio": (rounded.double().mean() / values.double().mean()).item() if values.isfinite().all() else None,
           "infinite": rounded.isinf().float().mean().item(), "nan": rounded.isnan().float().mean().item()})

# The page's loop, with a NaN in one gradient.
for rounding in (torch.Tensor.bfloat16, round_at_random):
    master = torch.ones(512, device=device, requires_grad=True)
    optimizer = torch.optim.Adam([master], lr=1e-3)
    seen = []
    for step in range(20):
        optimizer.zero_grad()
        master.square().sum().backward()
        if step == 5:
            master.grad[0] = (inf - inf)[0]
        optimizer.step()
        with torch.no_grad():
            master.copy_(rounding(master))
        seen.append(master[0].item())
    print({"loop": rounding.__name__, "weight_0_after_the_nan": seen[5:9], "nan_at_the_end": bool(master.isnan().any())})
    if rounding is round_at_random and not master.isnan().any():
        lost.append("a NaN gradient in the page's training loop")
if lost:
    print("REFUTED: rounding at random turns NaN into finite weights: " + "; ".join(lost))
else:
    print("NOT REFUTED: NaN from six operations and in the page's loop stay NaN; infinities, extremes and signs tried")
