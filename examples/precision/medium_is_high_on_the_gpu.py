"""
Medium is high on the GPU
=========================

What do "highest", "high" and "medium" do? On the GPU, the last two both mean TF32: they have
the same error and the same speed. BF16 products, by which "medium" is described, would err more
and be faster; for those, cast the matrices.
"""

import torch

torch.set_float32_matmul_precision("medium")  # the same as "high", on the GPU

# A product with the identity gives back the bits of mantissa that it kept.
numbers = 1 + 0.5 ** torch.arange(1, 24, device="cuda")  # one bit each, of FP32's 23
identity = torch.eye(64, device="cuda")
diagonal = torch.ones(64, device="cuda")
diagonal[:23] = numbers
kept = (diagonal.diag() @ identity).diag()[:23] == numbers
print(f"bits of mantissa kept: {kept.sum().item()}")

# %%
# The levels, and next to them a product of BF16 numbers, whose result is BF16, too.

LEVELS = ("highest", "high", "medium")
SIZE, ROUNDS = 4096, 10


def multiply(way, a, b):
    if way == "BF16":
        return (a.bfloat16() @ b.bfloat16()).float()
    torch.set_float32_matmul_precision(way)
    return a @ b


def bits_kept(way):
    returned = multiply(way, diagonal.diag(), identity).diag()[:23]
    return (returned == numbers).sum().item()


# %%
# The largest error of a large product, as a share of the mean magnitude of its elements.

torch.manual_seed(0)
a, b = torch.randn(2, SIZE, SIZE, device="cuda")
truth = a.double() @ b.double()
results = {way: multiply(way, a, b) for way in (*LEVELS, "BF16")}
scale = truth.abs().mean()
errors = {w: ((r - truth).abs().max() / scale).item() for w, r in results.items()}
del truth

# A number halfway between two of ten bits, times one: alone, and in a larger matrix.
half, one = torch.full((64, 64), 1024.5, device="cuda"), torch.ones(1, 1, device="cuda")
alone = multiply("high", half[:1, :1], one).item()
among_others = multiply("high", half, identity)[0, 0].item()
print(f"1024.5 becomes {alone} alone, {among_others} among others")
print({way: f"{error:.1e}" for way, error in errors.items()})

# %%
# The time of each, with casts for BF16. All take turns; the queue is never empty, so that the
# GPU's time counts and the host's does not.

import time

REPEATS = 8


def seconds(way):
    torch.cuda.synchronize()
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    multiply(way, a, b)  # the host is ahead from here on
    begin.record()
    for _ in range(REPEATS):
        multiply(way, a, b)
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / 1000 / REPEATS


warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    for way in results:
        seconds(way)
rounds = [{way: seconds(way) for way in results} for _ in range(ROUNDS)]
torch.set_float32_matmul_precision("highest")


def ratio(slow, fast):
    return {"samples": [each[slow] / each[fast] for each in rounds]}


# %%
# Speeds are compared with "highest".

rows = [
    {
        "precision": way,
        "bits": bits_kept(way),
        "max_error_share": errors[way],
        "speedup": ratio("highest", way),
    }
    for way in results
]
torch.set_float32_matmul_precision("highest")
for row in rows:
    print({name: row[name] for name in ("precision", "bits", "max_error_share")})
measured = {
    "by_precision": {"table": rows},
    "half_alone": str(alone),
    "half_among_others": str(among_others),
    "medium_over_high_ratio": ratio("high", "medium"),
    "tf32_error_ratio": errors["high"] / errors["highest"],
    "bf16_error_ratio": errors["BF16"] / errors["high"],
}
