"""
torch.accelerator counts the same memory
========================================

Do the memory functions of ``torch.accelerator`` give what those of ``torch.cuda`` give? The
numbers are the same, and each resets and empties what the other one shows. Some functions exist in
``torch.cuda`` alone.
"""

import torch

MIB = 2**20
before = torch.accelerator.memory_stats()  # before the first tensor: nothing
x = torch.empty(256 * MIB, dtype=torch.uint8, device="cuda")
y = torch.empty(64 * MIB, dtype=torch.uint8, device="cuda")
del y
print(f"{torch.accelerator.memory_allocated() / MIB:.0f} MiB allocated")
print(f"{torch.accelerator.memory_reserved() / MIB:.0f} MiB reserved")
print(f"{torch.accelerator.max_memory_allocated() / MIB:.0f} MiB at the peak")

# %%
# Ask both for the same, in three moments: with the tensor deleted, with the peak reset by
# ``torch.accelerator``, and with the cache emptied by it.

NAMES = (
    "memory_allocated",
    "memory_reserved",
    "max_memory_allocated",
    "max_memory_reserved",
)
moments = {
    "deleted": lambda: None,
    "reset": torch.accelerator.reset_peak_memory_stats,
    "emptied": torch.accelerator.empty_cache,
}
rows = []
for moment, call in moments.items():
    call()
    for name in NAMES:
        values = [getattr(part, name)() for part in (torch.accelerator, torch.cuda)]
        row = {"asked": f"{name}, {moment}", "accelerator_bytes": values[0]}
        rows.append(row | {"cuda_bytes": values[1]})
        print(rows[-1])

free, total = torch.accelerator.get_memory_info()
same_info = (free, total) == torch.cuda.mem_get_info()
torch.cuda.reset_accumulated_memory_stats()
torch.accelerator.reset_accumulated_memory_stats()

# %%
# The dictionaries of all statistics: values that both have, and names that one of them lacks.

ours, theirs = torch.accelerator.memory_stats(), torch.cuda.memory_stats()
both = sorted(set(ours) & set(theirs))
differ = [name for name in both if ours[name] != theirs[name]]
print(f"{len(ours)} statistics and {len(theirs)}, of which {len(differ)} differ")
print("in torch.cuda alone:", sorted(set(theirs) - set(ours)))

# %%
# What has no partner in ``torch.accelerator``?

ONLY = (
    "set_per_process_memory_fraction",
    "memory_summary",
    "memory_snapshot",
    "MemPool",
    "ipc_collect",
    "empty_host_cache",
)
there = [
    {"function": name, "accelerator": hasattr(torch.accelerator, name)} for name in ONLY
]
for row in there:
    print(row)

measured = {
    "stats_before": len(before),
    "by_question": {"table": rows},
    "same_info": same_info,
    "stats_in_both": len(both),
    "stats_that_differ": len(differ),
    "stats_in_cuda_alone": len(set(theirs) - set(ours)),
    "stats_in_accelerator_alone": len(set(ours) - set(theirs)),
    "documented_name": "allocated.all.current" in ours,
    "name": "allocation.all.current" in ours,
    "by_function": {"table": there},
}
