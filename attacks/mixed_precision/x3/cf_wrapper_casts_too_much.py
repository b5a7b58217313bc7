"""custom_functions.md: "Right: a wrapper casts and switches autocast off"; "The wrapper needs no decorator, so it also works for
a function that you cannot change"; claim a-wrapper-casts-everywhere.
Attack: the wrapper calls `.float()` on every tensor, unlike cast_inputs, which leaves FP64 and integers alone. Call functions
that nobody can change with an index, a class target, a boolean mask, FP64 tensors.
Refuted if a call that works without the wrapper raises with it, or gives another result (above 1e-3) or fewer digits."""
import torch
from torch.nn import functional as F

dev = "cuda" if torch.cuda.is_available() else "cpu"


def in_full_precision(function, *tensors):  # as on the page
    with torch.autocast(dev, enabled=False):
        return function(*(tensor.float() for tensor in tensors))


torch.manual_seed(0)
table = torch.randn(10, 16, device=dev)
index = torch.arange(8, device=dev)
logits = torch.randn(8, 10, device=dev)
q, k, v = torch.randn(3, 2, 2, 16, 64, device=dev)
mask = torch.ones(16, 16, dtype=torch.bool, device=dev).tril()
double = torch.randn(16, 16, dtype=torch.float64, device=dev)
values, keep = torch.randn(8, 8, device=dev), torch.rand(8, 8, device=dev) > 0.5
CALLS = {
    "attention with a boolean mask": (F.scaled_dot_product_attention, q, k, v, mask),
    "embedding": (F.embedding, index, table),
    "cross_entropy": (F.cross_entropy, logits, index),
    "index_select": (lambda t, i: t.index_select(0, i), table, index),
    "where": (lambda k, v: torch.where(k, v, 0.0), keep, values),
    "FP64 inverse": (torch.linalg.inv, double),
    "mm": (torch.mm, values, values),
}
bad = []
with torch.autocast(dev, dtype=torch.bfloat16):
    for name, (function, *given) in CALLS.items():
        with torch.autocast(dev, enabled=False):
            truth = function(*given)
        try:
            found = in_full_precision(function, *given)
        except (RuntimeError, TypeError, IndexError) as e:
            print(f"{name}: raises with the wrapper: {str(e)[:80]}")
            bad.append(f"{name} raises")
            continue
        error = ((found.double() - truth.double()).norm() / truth.double().norm()).item()
        print(f"{name}: {found.dtype}, against {truth.dtype}; difference {error:.1e}")
        if error > 1e-3:
            bad.append(f"{name} is wrong by {error:.1%} and nothing raises")
        elif found.dtype != truth.dtype:
            bad.append(f"{name}: {str(truth.dtype)[6:]} becomes {str(found.dtype)[6:]}")
print(f"REFUTED: {'; '.join(bad)}" if bad else f"NOT REFUTED: {len(CALLS)} calls")
