"""
Each GPU has its own plans
==========================

Which cache of plans does an FFT use? That of the GPU on which its tensor lies, whichever GPU is the
current one. Without an index, ``cufft_plan_cache`` is the cache of the current GPU.
"""

# sphinx_gallery_evidence = {"gpus": 2}
import torch

plans = torch.backends.cuda.cufft_plan_cache
for gpu in (0, 1):
    plans[gpu].clear()
torch.fft.fft(torch.zeros(500, device="cuda:1", dtype=torch.complex64))
print(f"{plans[0].size} plans on the first GPU, {plans[1].size} on the second")

# %%
# The sizes by index, and that without an index where the second GPU is the current one.

sizes = plans[0].size, plans[1].size
with torch.cuda.device(1):
    size_in_second = plans.size
size_in_first = plans.size

# %%
# A limit is that of one cache, too.

default_max = plans[0].max_size
plans[1].max_size = 10
max_sizes = plans[0].max_size, plans[torch.device("cuda:1")].max_size
plans[1].max_size = default_max
measured = {
    "first_gpu_size": sizes[0],
    "second_gpu_size": sizes[1],
    "size_in_first": size_in_first,
    "size_in_second": size_in_second,
    "default_max": default_max,
    "first_gpu_max": max_sizes[0],
    "second_gpu_max": max_sizes[1],
}
