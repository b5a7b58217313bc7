"""attention.md: "A mask that requires a gradient gets one in 12 of 12 cases" (in the page's script the queries require a gradient
as well).
Attack: only the mask learns (a bias on a frozen model): query, key and value require no gradient, so that a fused kernel may
not keep what backward needs. In a BF16 and an FP16 block and in FP32, for each backend; masks (2,4,128,128), (1,4,128,128),
(128,128); compare with FP64.
Refuted if backward raises, the mask gets no gradient, or one that is not finite or more than 5 % away."""
import warnings
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

dev = "cuda" if torch.cuda.is_available() else "cpu"
torch.backends.cuda.matmul.allow_tf32 = False
attend = torch.nn.functional.scaled_dot_product_attention
torch.manual_seed(0)
q, k, v, direction = torch.randn(4, 2, 4, 128, 64, device=dev)
every = [SDPBackend.CUDNN_ATTENTION, SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]
KINDS = {"default": every, "efficient": SDPBackend.EFFICIENT_ATTENTION, "math": SDPBackend.MATH}


def gradient(start, block, kind, cast=lambda t: t, learn_q=False):
    mask = cast(start).clone().requires_grad_()
    query = cast(q).clone().requires_grad_(learn_q)
    with warnings.catch_warnings(action="ignore"), sdpa_kernel(kind):
        with torch.autocast(dev, dtype=block, enabled=block is not None):
            result = attend(query, cast(k), cast(v), attn_mask=mask)
        (result * cast(direction)).double().sum().backward()
    return None if mask.grad is None else mask.grad.double()


bad = []
for shape in ((2, 4, 128, 128), (1, 4, 128, 128), (128, 128)):
    start = torch.randn(shape, device=dev)
    truth = gradient(start, None, SDPBackend.MATH, torch.Tensor.double)
    for block in (torch.bfloat16, torch.float16, None):
        for kind, allowed in KINDS.items():
            for learn_q in (True, False):
                try:
                    found = gradient(start, block, allowed, learn_q=learn_q)
                    text = "no gradient" if found is None else f"error {((found - truth).norm() / truth.norm()).item():.1%}"
                    wrong = found is None or not ((found - truth).norm() / truth.norm()).item() < 0.05
                except RuntimeError as e:
                    text = f"raises {str(e).splitlines()[0][:80]}"
                    wrong = kind == "default" or not ("No available kernel" in text or "No viable backend" in text)  # not taken
                print(f"mask {shape}, block {block}, {kind}, queries learn {learn_q}: {text}")
                if wrong:
                    bad.append(f"{shape} {block} {kind}, queries learn {learn_q}: {text}")
print(f"REFUTED: {'; '.join(bad[:6])} ({len(bad)} cases)" if bad else "NOT REFUTED: three masks, three blocks, three choices of kernel, with and without learning queries")
