"""
initcheck finds memory that was not written
===========================================

Does a program read what it never wrote? ``torch.empty`` leaves in a tensor what its memory held
before. The initcheck tool reports a kernel that reads it, if PyTorch's cache is turned off: memory
from the cache has usually been written once, by a tensor that is gone.
"""

# sphinx_gallery_evidence = {"timeout": 600, "processes": 1}
# sphinx_gallery_quiet = "nothing"
import os
import re
import shutil
import subprocess
import sys
import unittest

PLACES = os.environ.get("PATH", "") + ":/usr/local/cuda/bin"
TOOL = shutil.which("compute-sanitizer", path=PLACES)
if TOOL is None:
    raise unittest.SkipTest("compute-sanitizer is not installed")

# %%
# In each program, a tensor of sevens is made and deleted; then another is summed that has as many
# numbers, and is empty, half filled, or all zeros.

PROGRAM = """
import sys
import torch

torch.full((100_000,), 7.0, device="cuda")
x = torch.empty(100_000, device="cuda")
if sys.argv[1] == "half":
    x[:50_000] = 0
if sys.argv[1] == "zeros":
    x.zero_()
print("SUM", x.sum().item())
"""
CASES = ("empty", "half", "zeros")


def start(case, cached):
    environment = {**os.environ}
    environment.pop("PYTORCH_NO_CUDA_MEMORY_CACHING", None)
    if not cached:
        environment["PYTORCH_NO_CUDA_MEMORY_CACHING"] = "1"
    command = [TOOL, "--tool", "initcheck", sys.executable, "-c", PROGRAM, case]
    pipe = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    return subprocess.Popen(command, env=environment, **pipe)


# %%
# All run at once. Which of them read what was not written, according to the tool? And which sums
# were not zero, because of the sevens?

processes = {(c, cached): start(c, cached) for c in CASES for cached in (True, False)}
output = {key: process.communicate()[0] for key, process in processes.items()}
rows = []
for case in CASES:
    row = {"case": case}
    for cached, name in ((True, "cached"), (False, "uncached")):
        text = output[case, cached]
        row[f"{name}_found"] = "Uninitialized __global__ memory read" in text
    row["sevens"] = float(re.search(r"SUM (\S+)", output[case, True])[1]) > 0
    rows.append(row)
    print(text[:1000], row)

# %%
# Is the tool there that PyTorch's notes name?

has_old_tool = shutil.which("cuda-memcheck", path=PLACES) is not None
measured = {"by_case": {"table": rows}, "has_old_tool": has_old_tool}
