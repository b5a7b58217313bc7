"""Claim triton-cuts-tf32-inputs-off: "A Triton kernel cuts off the bits after the tenth" and
tf32.md: "in Triton kernels, it is cut off after ten bits". Tested: Inductor's kernel, one shape,
numbers from 1 to 2, as the left factor only.

Attack: a hand-written kernel with allow_tf32=True, input_precision "tf32" and "tf32x3";
the numbers as left and as right factor; blocks of 16, 32, 64 and 128 with 4 and 8 warps (other tensor core
instructions); negative, large, tiny numbers, exact ties and just above ties.

Refuted if a result differs from the number with its last 13 bits cleared.
(tf32x3 is Triton too, and is reported apart: refutes the general sentence of tf32.md.)
"""
import torch
import triton
import triton.language as tl


@triton.jit
def product(x, y, z, N: tl.constexpr, MODE: tl.constexpr):
    row, column = tl.arange(0, N)[:, None], tl.arange(0, N)[None, :]
    a = tl.load(x + row * N + column)
    b = tl.load(y + row * N + column)
    if MODE == "allow":
        c = tl.dot(a, b, allow_tf32=True)
    elif MODE == "default":
        c = tl.dot(a, b)
    elif MODE == "tf32x3":
        c = tl.dot(a, b, input_precision="tf32x3")
    elif MODE == "ieee":
        c = tl.dot(a, b, input_precision="ieee")
    else:
        c = tl.dot(a, b, input_precision="tf32")
    tl.store(z + row * N + column, c)


def cut(t):
    return (t.contiguous().view(torch.int32) & ~0x1FFF).view(torch.float32)


def rounded(t):  # to nearest, ties to even
    i = t.contiguous().view(torch.int32)
    return ((i + 0xFFF + ((i >> 13) & 1)) & ~0x1FFF).view(torch.float32)


torch.manual_seed(0)
claim = "triton-cuts-tf32-inputs-off"
MODES = {16: ["tf32"], 32: ["tf32", "allow"], 64: ["tf32", "default", "tf32x3", "ieee"], 128: ["tf32"]}
WARPS = {16: [4], 32: [4], 64: [4, 8], 128: [8]}
bad, apart = [], []
for n, modes in MODES.items():
    eye = torch.eye(n, device="cuda")
    unit = 1 + torch.rand(n, n, device="cuda")
    step = 2.0**-10
    ties = torch.floor(unit / step) * step + step / 2
    NUMBERS = {"from 1 to 2": unit, "negative": -unit, "large": unit * 2.0**100, "tiny": unit * 2.0**-100, "ties": ties,
               "just above ties": ties + 2.0**-23, "mixed": torch.randn(n, n, device="cuda"), "just below a step": torch.floor(unit / step) * step + step - 2.0**-23}
    for mode in modes:
        for warps in WARPS[n] if mode == "tf32" else [4]:
            for side in ("left", "right"):
                for name, t in NUMBERS.items():
                    z = torch.empty_like(t)
                    a, b = (t, eye) if side == "left" else (eye, t)
                    product[(1,)](a, b, z, n, mode, num_warps=warps)
                    torch.cuda.synchronize()
                    is_cut = torch.equal(z, cut(t))
                    kind = "cut" if is_cut else "rounded to nearest" if torch.equal(z, rounded(t)) else "exact" if torch.equal(z, t) else "other"
                    where = f"{n}x{n}, {mode}, {warps} warps, {side} factor, {name}"
                    if not is_cut and mode in ("tf32x3", "ieee"):
                        apart.append(mode) if mode == "tf32x3" else None
                        print(f"attack: {claim}: {where}: {kind} (apart), largest difference {(z - t).abs().max().item():.3g}") if name in ("from 1 to 2", "negative") else None
                    elif not is_cut:
                        bad.append(where)
                        print(f"attack: {claim}: {where}: {kind}; {(z != cut(t)).sum().item()} of {t.numel()} are not the number cut off")
            print(f"attack: {claim}: {n}x{n}, {mode}, {warps} warps done: {len(bad)} not cut off so far")
word = "REFUTED" if bad else "NOT REFUTED"
print(f"verdict: {word} {claim}: {len(bad)} cases not cut off; tf32x3 kernels that keep more (general sentence of tf32.md): {len(apart)}")
