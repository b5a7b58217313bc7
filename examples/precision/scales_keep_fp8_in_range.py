"""
Scales keep FP8 in range
========================

Does FP8 need scales? Without one, small numbers become zero, and too large ones the largest.
One scale for a matrix fits its largest number: a single outlier then turns the others into
zeros. A scale for each row confines the damage to the row.
"""

# %%
# One scale for each row of both factors.

# sphinx_gallery_quiet = "nothing"
import torch

LARGEST = torch.finfo(torch.float8_e4m3fn).max


def quantize_rows(x):
    scales = x.abs().amax(dim=1, keepdim=True) / LARGEST
    return (x / scales).clamp(-LARGEST, LARGEST).to(torch.float8_e4m3fn), scales


torch.manual_seed(0)
x, weight = torch.randn(512, 1024, device="cuda"), torch.randn(512, 1024, device="cuda")
(x_8, x_scales), (w_8, w_scales) = quantize_rows(x), quantize_rows(weight)
options = {"out_dtype": torch.bfloat16}
y = torch._scaled_mm(x_8, w_8.T, x_scales, w_scales.T, **options)
print((y - x @ weight.T).abs().max())

# %%
# The other two ways: no scale, and one for the whole matrix.


def quantize(x):
    scale = x.abs().amax(dim=(0, 1), keepdim=True) / LARGEST
    return (x / scale).clamp(-LARGEST, LARGEST).to(torch.float8_e4m3fn), scale


def cast(x):
    return x.to(torch.float8_e4m3fn), torch.ones(1, 1, device="cuda")


def multiply(way, x):
    (x_8, x_scale), (w_8, w_scale) = WAYS[way](x), WAYS[way](weight)
    lost = (x_8.float() == 0) & (x != 0)
    return torch._scaled_mm(x_8, w_8.T, x_scale, w_scale.T, **options), lost


WAYS = {"no scale": cast, "one scale": quantize, "scale per row": quantize_rows}

# %%
# The same matrix, small, large, and with an outlier in its first row. Count the numbers that
# become zero, and the rows whose result is lost: NaN, zeros, or off by more than half.

CASES = {"plain": x, "small": x * 1e-4, "large": x * 1e4, "outlier": x.clone()}
CASES["outlier"][0, 0] = 1e7


def row_errors(result, x):
    truth = x.double() @ weight.double().T
    return ((result.double() - truth).norm(dim=1) / truth.norm(dim=1)).nan_to_num(2.0)


rows = []
for case, factor in CASES.items():
    for way in WAYS:
        result, lost = multiply(way, factor)
        errors = row_errors(result, factor)
        row = {"case": f"{case}, {way}", "lost_rows": (errors > 0.5).sum().item()}
        row["zero_share"] = lost.double().mean().item()
        row["error_share"] = errors.median().item()
        rows.append(row)
        print(row)

# %%
# The error is the median over rows, as a share of the result's norm; NaN counts as an error of
# two.

measured = {"by_case": {"table": rows}, "rows": x.shape[0]}
