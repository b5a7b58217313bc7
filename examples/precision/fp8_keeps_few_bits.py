"""
FP8 keeps few bits
==================

What do the two FP8 types keep? E4M3 has three bits of mantissa and ends at 448; E5M2 has two
and reaches as far as FP16. A number beyond E4M3 does not become infinite: its cast gives the
largest number or, in older versions of PyTorch, NaN. Few operators compute in FP8.
"""

# %%
# Clamp before you cast to E5M2, and in older versions also to E4M3.

# sphinx_gallery_quiet = "nothing"
import torch

x = torch.tensor([0.3, 447.0, 1000.0], device="cuda")

for dtype in (torch.float8_e4m3fn, torch.float8_e5m2):
    largest = torch.finfo(dtype).max
    print(dtype, x.to(dtype).tolist(), x.clamp(-largest, largest).to(dtype).tolist())

# %%
# Every pattern of eight bits, as a number.

TYPES = {"E4M3": torch.float8_e4m3fn, "E5M2": torch.float8_e5m2}
patterns = torch.arange(256, dtype=torch.uint8, device="cuda")


def word(number):
    if number != number:
        return "NaN"
    return "infinite" if number in (float("inf"), float("-inf")) else "finite"


def count_to(dtype):
    number = 1.0
    while torch.tensor(number + 1, device="cuda").to(dtype).item() == number + 1:
        number += 1
    return int(number)


# %%
# A cast of numbers far beyond the range, of infinity, and of numbers between two neighbours.


def properties(name, dtype):
    numbers = patterns.view(dtype).float()
    finite = numbers[numbers.isfinite()]
    random = torch.rand(2**16, device="cuda") + 1
    error = (random.to(dtype).float() / random - 1).abs().max().item()
    far = torch.tensor([1e6, -1e6, float("inf")], device="cuda")
    return {
        "type": name,
        "largest": int(finite.max()),
        "smallest_power": int(finite[finite > 0].min().log2()),
        "finite": finite.numel(),
        "counts_to": count_to(dtype),
        "error_share": error,
        "beyond": "/".join(sorted({word(x) for x in far.to(dtype).float().tolist()})),
        "clamped": int(far.clamp(-finite.max(), finite.max()).to(dtype).float()[0]),
    }


rows = [properties(name, dtype) for name, dtype in TYPES.items()]
for row in rows:
    print(row)

# %%
# Which calls work on tensors in E4M3? First those that move or look at bits, then those that
# compute.

ones = torch.ones(16, 16, device="cuda").to(torch.float8_e4m3fn)
MOVING = {
    "clone": lambda: ones.clone(),
    "contiguous": lambda: ones.T.contiguous(),
    "cat": lambda: torch.cat([ones, ones]),
    "index": lambda: ones[torch.tensor([0, 2], device="cuda")],
    "view as bytes": lambda: ones.view(torch.uint8),
    "cast": lambda: ones.to(torch.bfloat16),
    "fill": lambda: torch.zeros_like(ones).fill_(1),
}
COMPUTING = {
    "add": lambda: ones + ones,
    "negate": lambda: -ones,
    "relu": lambda: ones.relu(),
    "sum": lambda: ones.sum(),
    "largest": lambda: ones.amax(),
    "matmul": lambda: ones @ ones,
    "linear": lambda: torch.nn.functional.linear(ones, ones),
}


def works(call):
    try:
        call()
        torch.cuda.synchronize()
    except (RuntimeError, NotImplementedError) as error:
        print(f"{type(error).__name__}: {error}"[:88])
        return False
    return True


moving = {name: works(call) for name, call in MOVING.items()}
computing = {name: works(call) for name, call in COMPUTING.items()}
print(moving, computing)

# %%
# The operators are counted.

measured = {
    "by_type": {"table": rows},
    "moving": len(moving),
    "moving_works": sum(moving.values()),
    "computing": len(computing),
    "computing_works": sum(computing.values()),
}
