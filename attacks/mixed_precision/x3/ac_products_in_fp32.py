"""autocast.md: "A product of FP32 matrices gives a new tensor in the type of the block, as an operator, a function or a
method" (and "an operator on autocast's lists gets its inputs cast").
Attack: other functions and methods that multiply two FP32 matrices: tensordot and inner are on the promote list and may
stay in FP32; also matmul, einsum, bmm, multi_dot, vecdot as controls, batches, and the FP16 block.
Refuted if a product of two FP32 matrices is in FP32 inside a BF16 or an FP16 block."""
import torch

dev = "cuda" if torch.cuda.is_available() else "cpu"
a, b = torch.randn(2, 16, 16, device=dev)
CALLS = {
    "a @ b": lambda: a @ b,
    "torch.einsum": lambda: torch.einsum("ij,jk->ik", a, b),
    "torch.linalg.multi_dot": lambda: torch.linalg.multi_dot([a, b]),
    "torch.tensordot(a, b, 1)": lambda: torch.tensordot(a, b, 1),
    "torch.inner(a, b)": lambda: torch.inner(a, b),
    "a.inner(b)": lambda: a.inner(b),
    "torch.nn.functional.bilinear": lambda: torch.nn.functional.bilinear(a, b, torch.ones(4, 16, 16, device=dev)),
    "torch.linalg.matrix_power(a, 3)": lambda: torch.linalg.matrix_power(a, 3),
}
stay = []
for low in (torch.bfloat16, torch.float16):
    for name, call in CALLS.items():
        outside = call().dtype
        with torch.autocast(dev, dtype=low):
            inside = call().dtype
        print(f"{low} block: {name:>34}: outside {outside}, inside {inside}")
        if inside is not low and "bilinear" not in name:
            stay.append(f"{name} in a {str(low)[6:]} block gives {str(inside)[6:]}")
print(f"REFUTED: {'; '.join(stay)}" if stay else f"NOT REFUTED: {len(CALLS)} functions and methods in two blocks")
