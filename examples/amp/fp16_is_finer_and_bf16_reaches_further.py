"""
FP16 is finer, and BF16 reaches further
=======================================

What do the two 16-bit types give up? BF16 keeps the range of FP32 and counts to 256. FP16 counts to
2048, and its range ends below 65536: a longer sum of products is infinite.
"""

# sphinx_gallery_quiet = "nothing"
import torch

gpu = torch.accelerator.current_accelerator(check_available=True)
device = gpu or torch.device("cpu")
a, b = torch.full((2, 64, 1024), 8.0, device=device)
for dtype in (torch.float32, torch.float16, torch.bfloat16):
    with torch.autocast(device.type, dtype, enabled=dtype is not torch.float32):
        product = a @ b.T  # each element is 8 * 8 * 1024 = 65536
    print(f"{dtype}: {product[0, 0].item()}")

# %%
# Double a one until it is infinite, halve it until it is zero, and double it until one more makes
# no difference: powers of two show where each type ends.


def count(dtype, factor, ends):
    value, steps = torch.ones((), device=device, dtype=dtype), 0
    while not ends(value):
        value, steps = value * factor, steps + 1
    return steps


TYPES = {"FP32": torch.float32, "FP16": torch.float16, "BF16": torch.bfloat16}
rows = []
for name, dtype in TYPES.items():
    row = {"type": name, "infinite_power": count(dtype, 2, torch.isinf)}
    row["zero_power"] = -count(dtype, 0.5, lambda value: value == 0)
    row["counts_to"] = 2 ** count(dtype, 2, lambda value: value + 1 == value)
    with torch.autocast(device.type, dtype, enabled=name != "FP32"):
        row["infinite_elements"] = (a @ b.T).isinf().sum().item()
    rows.append(row)
    print(row)

# %%
# A type that the GPU does not support may be emulated. Ask whether it is supported without that.

measured = {
    "by_type": {"table": rows},
    "elements": product.numel(),
    "bf16_supported": torch.cuda.is_bf16_supported(including_emulation=False),
}
