"""
Each option changes what it should
==================================

What does each option of the allocator change, and what is its default? Six facts are measured in
a fresh program without options, and again with each one.
"""

# sphinx_gallery_quiet = "nothing"
import json
import os
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor

# %%
# The facts: the share of memory that the process may take, what a small tensor reserves, what a
# larger one reserves and is given, and what stays reserved when a tensor follows one that is gone,
# from whose memory it might take its own.

PROGRAM = textwrap.dedent("""
    import json, torch
    MIB = 2**20

    def make(mib):
        return torch.empty(mib * MIB, dtype=torch.uint8, device="cuda")

    def reserved(*sizes):
        torch.cuda.empty_cache()
        for mib in sizes:
            tensor = None
            tensor = make(mib)
        return torch.cuda.memory_reserved(), torch.cuda.memory_allocated()

    one = reserved(33)
    print(json.dumps({
        "fraction": torch.cuda.get_per_process_memory_fraction(),
        "small_reserved_bytes": reserved(2)[0],
        "one_reserved_bytes": one[0],
        "one_given_bytes": one[1],
        "second_reserved_bytes": reserved(200, 150)[0],
        "close_reserved_bytes": reserved(200, 190)[0],
    }))
""")

# %%
# The options of the device allocator that have such an effect; those of the host allocator, of
# graphs and of locks have others.

SETTINGS = {
    "default": "",
    "expandable_segments": "expandable_segments:True",
    "garbage_collection": "garbage_collection_threshold:0.5",
    "large_segment_size_mb": "large_segment_size_mb:12",
    "max_non_split_alone": "max_non_split_rounding_mb:60",
    "max_split_size_mb": "max_split_size_mb:100",
    "max_split_and_non_split": "max_split_size_mb:100,max_non_split_rounding_mb:60",
    "per_process_memory_fraction": "per_process_memory_fraction:0.5",
    "release_lock": "release_lock_on_cudamalloc:True",
    "roundup_power2_divisions": "roundup_power2_divisions:4",
}


def facts(setting):
    environment = os.environ | {"PYTORCH_ALLOC_CONF": SETTINGS[setting]}
    environment.pop("PYTORCH_CUDA_ALLOC_CONF", None)
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True
    )
    return {"setting": setting} | json.loads(done.stdout)


with ThreadPoolExecutor(16) as pool:
    table = list(pool.map(facts, SETTINGS))
for row in table:
    print(row)

# %%
# Exact: everything. Which facts differ from those without options?

default = table[0]
for row in table[1:]:
    differ = [
        name for name in default if name != "setting" and row[name] != default[name]
    ]
    print(f"{row['setting']:>28}: {', '.join(differ) or 'nothing differs'}")
MIB = 2**20
measured = {
    "by_setting": {"table": table},
    "small_bytes": 2 * MIB,
    "one_bytes": 33 * MIB,
    "gone_bytes": 200 * MIB,
    "second_bytes": 150 * MIB,
    "close_bytes": 190 * MIB,
}
