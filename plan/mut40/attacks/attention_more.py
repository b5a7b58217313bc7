"""Attack: 'in deterministic mode 0 gradients differ' (flash, efficient, math) for masks with gradient, causal, dropout, FP32, GQA, width 128/256."""
# LONG 6
import os, warnings, torch
warnings.simplefilter("ignore")
from torch.nn.attention import SDPBackend, sdpa_kernel
DEVICE = os.environ.get("DEVICE", "cuda"); CUDA = DEVICE == "cuda"; L, RUNS = (2048, 8) if CUDA else (32, 2)
BACK = {"flash": SDPBackend.FLASH_ATTENTION, "efficient": SDPBackend.EFFICIENT_ATTENTION, "math": SDPBackend.MATH}
B16, H, F32 = torch.bfloat16, torch.half, torch.float32
# name: dtype, query heads, key heads, width, keyword arguments, mask shape (or None), backends by PyTorch's source
CASES = {
    "causal": (B16, 8, 8, 64, {"is_causal": True}, None, "flash efficient math"),
    "dropout": (B16, 8, 8, 64, {"dropout_p": 0.2}, None, "flash efficient math"),
    "FP16": (H, 8, 8, 64, {}, None, "flash efficient"),
    "FP32": (F32, 8, 8, 64, {}, None, "efficient math"),
    "FP32 causal dropout": (F32, 8, 8, 64, {"is_causal": True, "dropout_p": 0.2}, None, "efficient"),
    "GQA": (B16, 8, 2, 64, {"enable_gqa": True}, None, "flash math"),
    "width 128": (B16, 8, 8, 128, {}, None, "flash efficient"),
    "width 256": (B16, 4, 4, 256, {}, None, "flash efficient"),
    "mask": (B16, 8, 8, 64, {}, (2, 8, L, L), "efficient math"),
    "shared mask": (B16, 8, 8, 64, {}, (1, 1, L, L), "efficient math"),
    "FP32 shared mask": (F32, 8, 8, 64, {}, (1, 1, L, L), "efficient"),
}
torch.use_deterministic_algorithms(True)
seen, refused, control = {}, {}, {}
def trial(name, backend):
    dtype, heads, groups, width, words, mask, _ = CASES[name]
    torch.manual_seed(0)
    q, k, v = (torch.randn(2, h, L, width, device=DEVICE).to(dtype).requires_grad_() for h in (heads, groups, groups))
    mask = None if mask is None else torch.randn(mask, device=DEVICE).to(dtype).requires_grad_()
    g, inputs = torch.randn_like(q), [t for t in (q, k, v, mask) if t is not None]
    def once():
        torch.manual_seed(1)  # the same dropout
        with sdpa_kernel(BACK[backend]):
            y = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask, **words)
        return [y, *torch.autograd.grad(y, inputs, g)]
    first = once()
    return sum(not all(map(torch.equal, first, once())) for _ in range(RUNS))
for name, case in CASES.items():
    for backend in case[-1].split() if CUDA else ["math"]:
        try: seen[f"{name}, {backend}"] = trial(name, backend)
        except RuntimeError as error: refused[f"{name}, {backend}"] = str(error).splitlines()[0][:100]
torch.use_deterministic_algorithms(False)
control = {b: trial("causal", b) for b in (("flash", "efficient") if CUDA else ("math",))}
bad = [n for n, x in seen.items() if x]
print({"differ": {n: seen[n] for n in bad}, "cases": len(seen), "runs": RUNS, "off_switch_differ": control, "refused": refused})
print(f"REFUTED {bad}" if bad else "HOLDS outputs and gradients repeat, that of the mask included")
