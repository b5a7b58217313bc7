"""autocast.md: "Calls that change a tensor in place, write to `out=` or name a `dtype=` are left alone."
Attack: calls with out= that are made of several products (multi_dot, chain_matmul, matrix_power, tensordot, inner), whose
inner products may be cast; batched matmul; in-place calls of several shapes; calls that name dtype=.
Refuted if such a call works outside the block, and inside it raises, or gives another type or other bits than outside."""
import torch

dev = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
torch.backends.cuda.matmul.allow_tf32 = False
a, b, c = torch.randn(3, 16, 16, device=dev)
x, y = torch.randn(2, 4, 16, 16, device=dev)
low = a.bfloat16()
out = lambda *s: torch.empty(*s, device=dev)
CALLS = {
    "torch.mm(out=)": lambda: torch.mm(a, b, out=out(16, 16)),
    "torch.matmul(3-D, out=)": lambda: torch.matmul(x, b, out=out(4, 16, 16)),
    "torch.matmul(batches, out=)": lambda: torch.matmul(x, y, out=out(4, 16, 16)),
    "torch.linalg.multi_dot([a, b, c], out=)": lambda: torch.linalg.multi_dot([a, b, c], out=out(16, 16)),
    "torch.chain_matmul(a, b, c, out=)": lambda: torch.chain_matmul(a, b, c, out=out(16, 16)),
    "torch.linalg.matrix_power(a, 3, out=)": lambda: torch.linalg.matrix_power(a, 3, out=out(16, 16)),
    "torch.linalg.matrix_power(a, 5, out=)": lambda: torch.linalg.matrix_power(a, 5, out=out(16, 16)),
    "torch.tensordot(a, b, 1, out=)": lambda: torch.tensordot(a, b, 1, out=out(16, 16)),
    "torch.inner(a, b, out=)": lambda: torch.inner(a, b, out=out(16, 16)),
    "torch.addr(out=)": lambda: torch.addr(a, b[0], c[0], out=out(16, 16)),
    "a.clone().addmm_(b, c)": lambda: a.clone().addmm_(b, c),
    "baddbmm_": lambda: x.clone().baddbmm_(x, y),
    "addbmm_": lambda: a.clone().addbmm_(x, y),
    "addr_": lambda: a.clone().addr_(b[0], c[0]),
    "cumsum_": lambda: low.clone().cumsum_(0),
    "pow_": lambda: low.clone().pow_(2),
    "low.softmax(0, dtype=bf16)": lambda: low.softmax(0, dtype=torch.bfloat16),
    "torch.norm(low, dim=0, dtype=bf16)": lambda: torch.norm(low, dim=0, dtype=torch.bfloat16),
    "torch.linalg.norm(low, 'nuc'-free, dtype=f32)": lambda: torch.linalg.norm(low, dtype=torch.float32),
    "torch.linalg.matrix_norm(low, 2, dtype=f32)": lambda: torch.linalg.matrix_norm(low, 2, dtype=torch.float32),
    "low.prod(0, dtype=bf16)": lambda: low.prod(0, dtype=torch.bfloat16),
}
bad = []
for name, call in CALLS.items():
    try:
        outside = call()
    except RuntimeError as e:
        print(f"{name}: not outside either: {str(e)[:70]}")
        continue
    with torch.autocast(dev, dtype=torch.bfloat16):
        try:
            inside = call()
        except RuntimeError as e:
            print(f"{name}: RAISES inside: {str(e)[:90]}")
            bad.append(f"{name} raises in the block ({str(e)[:50]})")
            continue
    same = inside.dtype == outside.dtype
    error = ((inside.double() - outside.double()).norm() / outside.double().norm()).item()
    print(f"{name}: {outside.dtype} outside, {inside.dtype} inside, difference {error:.1e}")
    if not same or error > 1e-4:
        bad.append(f"{name}: {str(inside.dtype)[6:]} with a difference of {error:.1e}")
print(f"REFUTED: {'; '.join(bad)}" if bad else f"NOT REFUTED: {len(CALLS)} calls with out=, in place or with dtype=")
