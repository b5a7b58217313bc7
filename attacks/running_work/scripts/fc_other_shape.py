"""docs/execution/first_call.md: "With another shape, it was not slow again" (a-first-call-is-slow-once; read with "a kernel is loaded once").
Attack: operations other than pointwise ones, called in one shape and then in another with the same dtype: reductions, softmax, sort, topk, products, cumsum, index, cat.
Refuted if the first call in the other shape takes more than ten times the second one there, and 300 microseconds more, after a first call in the first shape."""
import time

import torch
import torch.nn.functional as F

sizes = {"small": torch.rand(8, 16, device="cuda"), "wide": torch.rand(2, 40000, device="cuda"), "large": torch.rand(1024, 1024, device="cuda"), "odd": torch.rand(33, 127, device="cuda")}
torch.empty(1 << 30, dtype=torch.uint8, device="cuda")
for t in sizes.values():
    for _ in range(50):
        t.neg()
OPERATIONS = {
    "sinh": torch.sinh, "sum": lambda t: t.sum(1), "sum dim 0": lambda t: t.sum(0), "softmax": lambda t: t.softmax(1), "softmax dim 0": lambda t: t.softmax(0),
    "sort": lambda t: t.sort(1), "topk": lambda t: t.topk(4), "cumsum": lambda t: t.cumsum(1), "matmul": lambda t: t @ t.T, "layer_norm": lambda t: F.layer_norm(t, t.shape[1:]),
    "cat": lambda t: torch.cat([t, t], 1), "median": lambda t: t.median(1), "mode-free argmax": lambda t: t.argmax(1), "cdist": lambda t: torch.cdist(t[:, :64], t[:, :64]),
    "roll": lambda t: t.roll(3, 1), "transpose copy": lambda t: t.T.contiguous(), "std": lambda t: t.std(1),
}


def microseconds(call, t):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    call(t)
    torch.cuda.synchronize()
    return 1e6 * (time.perf_counter() - begin)


slow = []
for name, call in OPERATIONS.items():
    row = {}
    for size, t in sizes.items():
        first = microseconds(call, t)
        second = min(microseconds(call, t) for _ in range(3))
        row[size] = f"{first:.0f}/{second:.0f}"
        if size != "small" and first > 10 * second and first > second + 300:
            slow.append(f"{name} {size} ({first:.0f} against {second:.0f} us)")
    print(f"{name:18} first/again in us: {row}")
print(f"REFUTED: slow again in another shape: {slow}" if slow else f"NOT REFUTED: {len(OPERATIONS)} operations in four shapes")
