"""
Each GPU keeps plans of its own
===============================

Which GPU's plans does ``torch.backends.cuda.cufft_plan_cache`` mean? Those of the current GPU. With
an index in brackets, it is the cache of that GPU, with a limit and plans of its own.
"""

# sphinx_gallery_evidence = {"gpus": 2}
# sphinx_gallery_quiet = "nothing"
import torch

plans = torch.backends.cuda.cufft_plan_cache
second = torch.device("cuda", 1)
for length in (100, 101, 102):
    torch.fft.fft(torch.ones(length, device=second))
print(plans.size, plans[1].size)  # of the current GPU, and of the second one

# %%
# The second GPU can be named by a number or a device. A limit, and emptying the cache, concern that
# GPU alone.

sizes = {"current": plans.size, "number": plans[1].size, "device": plans[second].size}
with torch.cuda.device(second):
    sizes["current, within device(second)"] = plans.size
torch.fft.fft(torch.ones(100, device="cuda:0"))
limits_before = plans[0].max_size, plans[1].max_size
plans[1].max_size = 10
limits_after = plans[0].max_size, plans[1].max_size
plans[1].clear()
sizes_after = plans[0].size, plans[1].size
plans[1].max_size = limits_before[1]
print(sizes, limits_before, limits_after, sizes_after)

# %%
# A GPU that does not exist has no cache.

try:
    missing = plans[torch.cuda.device_count()]
except RuntimeError as error:
    missing = error
print(missing)

measured = {
    "by_way": {"table": [{"way": way, "plans": size} for way, size in sizes.items()]},
    "same_limit_before": limits_before[0] == limits_before[1],
    "first_limit_kept": limits_after[0] == limits_before[0],
    "second_limit": limits_after[1],
    "first_plans_after": sizes_after[0],
    "second_plans_after": sizes_after[1],
    "missing": missing,
}
