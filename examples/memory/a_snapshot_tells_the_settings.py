"""
A snapshot tells the settings
=============================

Which settings are in force, and what are they without options? A snapshot of the memory holds
them, for most options of the device and for two of pinned memory.
"""

# sphinx_gallery_quiet = "nothing"
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

# %%
# A fresh program, without any option, or with one value for each of these.

PROGRAM = """
import json, torch
torch.cuda.init()
print(json.dumps(torch.cuda.memory._snapshot()["allocator_settings"]))
"""
SET = (
    "max_split_size_mb:64,garbage_collection_threshold:0.5,expandable_segments:True,"
    "roundup_power2_divisions:4,pinned_num_register_threads:8,release_lock_on_cudamalloc:True,"
    "pinned_use_cuda_host_register:True,graph_capture_record_stream_reuse:True"
)


def settings(options):
    environment = {k: v for k, v in os.environ.items() if not k.endswith("ALLOC_CONF")}
    command = [sys.executable, "-c", PROGRAM]
    pipes = {"capture_output": True, "text": True, "check": True}
    done = subprocess.run(command, env=environment | options, **pipes)
    found = json.loads(done.stdout)
    limit = found.pop("max_split_size")
    found["max_split_size_mb"] = "unlimited" if limit < 0 else limit // 2**20
    divisions = found["roundup_power2_divisions"].values()
    found["roundup_power2_divisions"] = ", ".join(sorted({str(v) for v in divisions}))
    return found


with ThreadPoolExecutor(2) as pool:
    default, changed = pool.map(settings, ({}, {"PYTORCH_ALLOC_CONF": SET}))
print(default)
print(changed)

# %%
# Exact: what is in force, in words, option by option.

NAMES = [item.split(":")[0] for item in SET.split(",")]
table = [
    {"option": name, "default": str(default[name]), "changed": str(changed[name])}
    for name in NAMES
]
measured = {
    "by_option": {"table": table},
    "options": len(NAMES),
    "changed": sum(row["default"] != row["changed"] for row in table),
    "told": changed["PYTORCH_CUDA_ALLOC_CONF"] == SET,
}
