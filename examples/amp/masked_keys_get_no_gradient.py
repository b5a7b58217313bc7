"""
Masked keys get no gradient
===========================

Are the gradients of keys, values and a learned mask right if a query sees no key? They are finite,
those of masked keys are zero, and those of a sequence that has keys are as for these keys alone.
"""

# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
torch.manual_seed(0)
queries, keys, values = torch.randn(3, 2, 4, 16, 64, device=device).requires_grad_()
visible = torch.zeros(2, 1, 16, 16, dtype=torch.bool, device=device)
visible[1, ..., :8] = True  # the first sequence is padding from end to end

mask = visible | ~visible.any(-1, keepdim=True)  # without a key: see them all
with torch.autocast(device.type, dtype=torch.bfloat16):
    result = torch.nn.functional.scaled_dot_product_attention(
        queries, keys, values, attn_mask=mask
    )
given = queries, keys, values
gradients = torch.autograd.grad(result.float().sum(), given)
print([x.isfinite().all().item() for x in gradients], gradients[1][1, :, 8:].any())

# %%
# The mask is made in six ways. Those of numbers are also learned: then they get a gradient, too,
# and another kernel may run.

from contextlib import nullcontext
from itertools import product

from torch.nn.attention import SDPBackend, sdpa_kernel

FILLS = {
    "smallest FP32": torch.finfo(torch.float32).min,
    "smallest of its type": None,
    "-10000": -10000.0,
    "minus infinity": -torch.inf,
}
MASKS = (*FILLS, "boolean", "all or some")
BLOCKS = {"no block": None, "FP16": torch.float16, "BF16": torch.bfloat16}
BACKENDS = {"default": nullcontext, "math": lambda: sdpa_kernel(SDPBackend.MATH)}


def make_mask(kind, dtype):
    if kind in ("boolean", "all or some"):
        return visible if kind == "boolean" else mask
    number = FILLS[kind] or torch.finfo(dtype).min
    return torch.zeros(2, 1, 16, 16, device=device).masked_fill(~visible, number)


def gradients_of(block, backend, kind, learned):
    dtype = BLOCKS[block] or torch.float32
    bias = make_mask(kind, dtype)
    inputs = (*given, bias.requires_grad_()) if learned else given
    in_block = torch.autocast(device.type, dtype=dtype, enabled=block != "no block")
    with in_block, BACKENDS[backend]():
        result = torch.nn.functional.scaled_dot_product_attention(
            *given, attn_mask=bias
        )
    return torch.autograd.grad(result.float().sum(), inputs)


# %%
# The second sequence has eight keys. Its gradients are compared with those of attention over these
# keys alone, in FP64: they may be off by a twentieth of their size.

alone = [x[1].detach().double() for x in (queries, keys[:, :, :8], values[:, :, :8])]
alone = [x.requires_grad_() for x in (*alone, alone[0].new_zeros(16, 8))]
exact = torch.nn.functional.scaled_dot_product_attention(*alone)
truths = torch.autograd.grad(exact.sum(), alone)


def case(block, backend, kind, learned=False):
    query, key, value, *bias = gradients_of(block, backend, kind, learned)
    seen = [query[1], key[1, :, :8], value[1, :, :8]]
    unseen = [key[1, :, 8:], value[1, :, 8:]]
    for gradient in bias:
        seen.append(gradient[1, 0, :, :8])
        unseen.append(gradient[1, 0, :, 8:])
    lost = query[0], key[0], value[0]
    errors = [(found - true).norm() / true.norm() for found, true in zip(seen, truths)]
    return {
        "case": f"{block}, {backend}, {kind}",
        "finite": all(x.isfinite().all().item() for x in (query, key, value, *bias)),
        "right": all(error.item() < 0.05 for error in errors),
        "masked_are_zero": not any(x.any().item() for x in unseen),
        "without_keys_are_zero": not any(x.any().item() for x in lost),
    }


rows = [case(*key) for key in product(BLOCKS, BACKENDS, MASKS)]
learned = [case(*key, learned=True) for key in product(BLOCKS, BACKENDS, FILLS)]
print(*rows, *learned, sep="\n")

# %%
# Counted over all cases: of a mask that is given, and of one that is learned.

by_mask = []
for kind, cases in (("given", rows), ("learned", learned)):
    row = {"mask": kind, "cases": len(cases)}
    for name in ("finite", "right", "masked_are_zero"):
        row[name] = sum(case[name] for case in cases)
    by_mask.append(row)
    print(row)
measured = {
    "given": {"table": rows},
    "learned": {"table": learned},
    "by_mask": {"table": by_mask},
}
