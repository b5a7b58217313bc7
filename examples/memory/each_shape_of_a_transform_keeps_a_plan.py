"""
Each shape of a transform keeps a plan
======================================

What does an FFT leave behind? A plan of cuFFT for each shape and type, so that the next transform
of that shape need not be planned again. The GPU's cache holds up to 4096 plans.
"""

# sphinx_gallery_quiet = "nothing"
import torch

plans = torch.backends.cuda.cufft_plan_cache  # of the current GPU
plans.clear()
x = torch.zeros(64, 1000, device="cuda", dtype=torch.complex64)
for length in (1000, 1000, 999):
    torch.fft.fft(x[:, :length].contiguous())
print(f"{plans.size} plans of at most {plans.max_size}")

# %%
# What counts as another shape: transforms of the same numbers, each after ``clear``.

size_after_three, default_max = plans.size, plans.max_size
BATCH = torch.zeros(8, 512, device="cuda", dtype=torch.complex64)
PAIRS = {
    "the same again": (BATCH, BATCH),
    "other numbers": (BATCH, BATCH + 1),
    "a larger batch": (BATCH, BATCH.repeat(2, 1)),
    "double precision": (BATCH, BATCH.to(torch.complex128)),
    "a longer row": (BATCH, BATCH.repeat(1, 2)),
}
shapes = []
for name, pair in PAIRS.items():
    plans.clear()
    for tensor in pair:
        torch.fft.fft(tensor)
    shapes.append({"second": name, "plans": plans.size})
plans.clear()
torch.fft.fft(BATCH), torch.fft.ifft(BATCH)
shapes.append({"second": "the inverse", "plans": plans.size})

# %%
# A cache of three gets a fourth plan, after the first was used again. Which one it drops shows when
# it may grow: what is missing adds a plan.


def transform(length):
    torch.fft.fft(torch.zeros(length, device="cuda", dtype=torch.complex64))


plans.clear()
plans.max_size = 3
for length in (100, 101, 102, 100, 103):
    transform(length)
size_when_full = plans.size
plans.max_size = 10
transform(100)
size_with_the_first = plans.size
transform(101)
size_with_the_second = plans.size
plans.max_size = 1
size_when_lowered = plans.size
plans.max_size = default_max

measured = {
    "size_after_three": size_after_three,
    "default_max": default_max,
    "is_function": callable(torch.fft),  # as it was before 1.8
    "shapes": {"table": shapes},
    "size_when_full": size_when_full,
    "size_with_the_first": size_with_the_first,
    "size_with_the_second": size_with_the_second,
    "size_when_lowered": size_when_lowered,
}
