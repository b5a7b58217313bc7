"""docs/devices/like_another.md: "Whole numbers print without decimals".
Attack: large whole numbers, a wide range of them, and whole numbers beside another number, from new_full / zeros_like siblings on the GPU.
Refuted if a floating-point tensor of whole numbers only prints with digits after the point."""
import re

import torch

x = torch.ones(2, device="cuda")
CASES = {
    "new_full 200000000": x.new_full([2], 200_000_000),
    "full_like 1e9": torch.full_like(x, 1_000_000_000),
    "new_tensor [1, 5000]": x.new_tensor([1.0, 5000.0]),
    "new_full 99999999": x.new_full([2], 99_999_999),
    "new_full -5": x.new_full([2], -5),
    "new_full -5 in half": x.half().new_full([2], -5),
    "new_full 60000 in half": x.half().new_full([2], 60000),
}
bad = []
for name, tensor in CASES.items():
    shown = str(tensor)
    whole = bool((tensor == tensor.round()).all())
    print(name, shown, "whole:", whole)
    if whole and re.search(r"\d\.\d", shown):
        bad.append(f"{name} -> {shown}")
print(f"REFUTED: whole numbers with decimals: {bad}" if bad else f"NOT REFUTED: {len(CASES)} tensors of whole numbers")
