"""
Each shape of a transform keeps a plan
======================================

What does an FFT leave behind? A plan of cuFFT for each shape and type, so that the next transform
of that shape need not be planned again. Each GPU has its own cache of plans, up to 4096.
"""

# sphinx_gallery_evidence = {"gpus": 2}
import torch

plans = torch.backends.cuda.cufft_plan_cache  # of the current GPU
plans.clear()
x = torch.zeros(64, 1000, device="cuda", dtype=torch.complex64)
for length in (1000, 1000, 999):
    torch.fft.fft(x[:, :length].contiguous())
print(f"{plans.size} plans of at most {plans.max_size}")

# %%
# The caches of two GPUs, by index, and what an index beyond them raises. A transform of the second
# GPU's tensor adds to the second cache, while the first is still the current one.

size_after_three, default_max = plans.size, plans.max_size
torch.fft.fft(torch.zeros(500, device="cuda:1", dtype=torch.complex64))
sizes = plans[0].size, plans[1].size
with torch.cuda.device(1):
    size_in_second = plans.size
plans[1].max_size = 10
max_sizes = plans[0].max_size, plans[torch.device("cuda:1")].max_size


def assign_size():
    plans.size = 0


def failure(call):
    try:
        call()
    except RuntimeError as error:
        return error
    return "no error"


outside = failure(lambda: plans[torch.cuda.device_count()])
read_only = failure(assign_size)
print(sizes, size_in_second, max_sizes, outside, sep="\n")

# %%
# What counts as another shape: transforms of the same numbers, each after ``clear``.

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
print(*shapes, sep="\n")

# %%
# A full cache drops the plan that was not used for longest. Plans hold memory that PyTorch does not
# count: what the driver counts more for 200 plans, against what PyTorch does.

plans.max_size = 3
for length in range(100, 110):
    torch.fft.fft(torch.zeros(length, device="cuda", dtype=torch.complex64))
size_when_full = plans.size
plans.clear()
plans.max_size = default_max


def held():
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    free, total = torch.cuda.mem_get_info()
    return total - free, torch.cuda.memory_reserved()


start = held()
for length in range(1000, 1200):
    torch.fft.fft(x[0, :1].new_zeros(length))
many, plans_held = held(), plans.size
plans.clear()
end = held()
print(f"{plans_held} plans: {(many[0] - start[0]) / 2**20:.1f} MiB, then {end}")
measured = {
    "size_after_three": size_after_three,
    "default_max": default_max,
    "first_gpu_size": sizes[0],
    "second_gpu_size": sizes[1],
    "size_in_second": size_in_second,
    "first_gpu_max": max_sizes[0],
    "second_gpu_max": max_sizes[1],
    "outside": outside,
    "read_only": read_only,
    "shapes": {"table": shapes},
    "size_when_full": size_when_full,
    "plans_held": plans_held,
    "driver_grew_bytes": {"samples": [many[0] - start[0]]},
    "pytorch_grew_bytes": many[1] - start[1],
    "driver_left_bytes": {"samples": [end[0] - start[0]]},
}
