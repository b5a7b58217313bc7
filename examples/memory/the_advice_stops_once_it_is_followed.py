"""
The advice stops once it is followed
====================================

Does "try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True" mean that it is not set? It
does, but not that it would help. Where memory was reserved but unallocated, the setting helped;
where there was too little, it did not. Before PyTorch 2.14, the advice was part of every message.
"""

import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

# %%
# Of what the program may take, a part is a gap behind a tensor, too small for the next tensor. The
# last tensor has no place in any case.

PROGRAM = """
import json, torch

MIB = 2**20
total = torch.cuda.get_device_properties(0).total_memory
torch.cuda.set_per_process_memory_fraction((280 * MIB + 1024) / total)

def make(mib):
    return torch.empty(mib * MIB, dtype=torch.uint8, device="cuda")

kept, freed = make(140), make(100)  # expandable segments grow by 20 MiB
del freed
piece = make(60)
expandable = all(part["is_expandable"] for part in torch.cuda.memory_snapshot())
fits, message = True, ""
try:
    make(41)
except torch.OutOfMemoryError:
    fits = False
try:
    make(240)
except torch.OutOfMemoryError as error:
    message = str(error)
print(json.dumps([expandable, fits, message]))
"""

# %%
# Both names of the variable are tried, and neither, all at once: none takes more than its limit.
# The advice is what the message says from "try setting" on, to the end of the setting.

NAMES = ("PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF")
SETTING = "expandable_segments:True"


def run(name):
    variables = {} if name == "none" else {name: SETTING}
    rest = {key: value for key, value in os.environ.items() if key not in NAMES}
    command = [sys.executable, "-c", PROGRAM]
    process = subprocess.run(
        command, env=rest | variables, capture_output=True, text=True
    )
    if process.returncode:
        raise RuntimeError(process.stderr[-2000:])
    expandable, fits, message = json.loads(process.stdout.splitlines()[-1])
    advice = re.search(r"try setting \S+", message)
    row = {"variable": name, "expandable": expandable, "fits": fits}
    return row | {"advice": advice[0] if advice else "none"}


with ThreadPoolExecutor(3) as pool:
    table = list(pool.map(run, ("none", *NAMES)))
print(*table, sep="\n")

# %%
# Were the segments expandable? Did the tensor fit that is larger than the gap? Did the advice come?

measured = {
    "by_variable": {"table": table},
    "advised": sum(SETTING in row["advice"] for row in table),
    "runs": len(table),
}
