"""attention.md: "FlashAttention does not take a boolean mask and does not take an added one, but takes `is_causal=True`. A boolean
mask leaves two fused kernels: cuDNN takes it, and the memory-efficient kernel takes it, too."
Attack: the page asks 128 queries and 128 keys only. Ask for one query (decoding), 64 queries and 128 keys (a cache of keys),
an odd number of keys (129), masks of the shapes (B,1,1,K), (1,1,Q,K), under no_grad and in training.
Refuted if FlashAttention alone refuses is_causal=True, or cuDNN or the efficient kernel alone refuses a boolean mask."""
import time

begin = time.perf_counter()
import warnings
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

dev = "cuda" if torch.cuda.is_available() else "cpu"
attend = torch.nn.functional.scaled_dot_product_attention
KINDS = {"cudnn": SDPBackend.CUDNN_ATTENTION, "flash": SDPBackend.FLASH_ATTENTION, "efficient": SDPBackend.EFFICIENT_ATTENTION}
torch.manual_seed(0)


def takes(backend, queries, keys, grad, **options):
    q = torch.randn(2, 4, queries, 64, device=dev, requires_grad=grad)
    k, v = torch.randn(2, 2, 4, keys, 64, device=dev)
    with warnings.catch_warnings(action="ignore"), sdpa_kernel(KINDS[backend]):
        try:
            with torch.autocast(dev, dtype=torch.bfloat16):
                result = attend(q, k, v, **options)
            if grad:
                result.float().sum().backward()
            return True
        except RuntimeError as e:
            return str(e).splitlines()[0][:60]


bad = []
TIMES = ((1, 128), (64, 128), (128, 128), (127, 129), (128, 64))
for backends in (("flash", "efficient"), ("cudnn",)):  # kernels of cuDNN are compiled for each shape: last, while there is time
    for queries, keys in TIMES:
        for grad in (True, False):
            row = {}
            if "flash" in backends:
                row["flash, causal"] = takes("flash", queries, keys, grad, is_causal=True)
            for name, shape in {"(Q,K)": (queries, keys), "(B,1,1,K)": (2, 1, 1, keys), "(1,1,Q,K)": (1, 1, queries, keys)}.items():
                mask = torch.rand(shape, device=dev) > 0.3
                mask[..., 0] = True
                for backend in backends:
                    if backend == "flash" or (backend == "cudnn" and time.perf_counter() - begin > 6):
                        continue
                    row[f"{backend}, boolean {name}"] = takes(backend, queries, keys, grad, attn_mask=mask)
            refused = [f"{name}: {what}" for name, what in row.items() if what is not True]
            print(f"{queries} queries, {keys} keys, {'training' if grad else 'no gradient'}: {len(row) - len(refused)} of {len(row)} {backends} taken; refused: {refused}")
            if dev == "cuda":
                bad += [f"{queries} x {keys} {r.split(': ')[0]}{'' if grad else ', no gradient'}" for r in refused]
print(f"REFUTED: refused: {'; '.join(bad)}" if bad else "NOT REFUTED: five pairs of lengths, three shapes of masks, with and without gradient")
