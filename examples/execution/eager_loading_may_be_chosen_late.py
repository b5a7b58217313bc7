"""
Eager loading may be chosen late
================================

Must ``CUDA_MODULE_LOADING`` be set before the process starts? CUDA reads it when it is first used,
so a program can set it itself, even after ``import torch``. After the first tensor, it is too late.
"""

# sphinx_gallery_evidence = {"processes": 1, "timeout": 60}
import json
import os
import subprocess
import sys

# %%
# The program sets the variable at one of these places, or nowhere. Then it calls operations that
# are not used anywhere else in the process, behind a kernel that only sleeps (its function is
# private to PyTorch and may change). A call that loads its kernel may return only after that.

PROGRAM = """
import json, os, sys
import torch

where = sys.argv[1]

def choose(here):
    if where == here:
        os.environ["CUDA_MODULE_LOADING"] = "EAGER"

choose("after the import")
assert torch.cuda.is_available()
choose("after is_available")
x = torch.full((1000,), 0.5, device="cuda")
choose("after the first tensor")

NAMES = "reciprocal square abs neg sign floor ceil trunc round frac erf sqrt sigmoid relu"
NAMES += " signbit logical_not isnan exp sin tanh"
held = torch.cuda.Event()
torch.cuda._sleep(1)

def waits(name):
    torch.cuda.synchronize()
    torch.cuda._sleep(100_000_000)
    held.record()
    getattr(torch, name)(x)
    return held.query()

print(json.dumps(sum(waits(name) for name in NAMES.split())))
"""

# %%
# Each place has a process of its own. One asks ``torch.cuda.is_available()`` first, which may be a
# use of CUDA, too.

PLACES = "after the import", "after is_available", "after the first tensor", "nowhere"


def start(where):
    env = {key: value for key, value in os.environ.items() if "LOADING" not in key}
    command, pipe = [sys.executable, "-c", PROGRAM, where], subprocess.PIPE
    return subprocess.Popen(command, env=env, stdout=pipe, stderr=pipe, text=True)


rows = []
for where, process in [(where, start(where)) for where in PLACES]:
    output, errors = process.communicate()
    assert output, errors[-2000:]
    rows.append({"set": where, "waited": json.loads(output.splitlines()[-1])})
    print("{:>22}: {} of 20 first calls waited".format(*rows[-1].values()))

measured = {"operations": 20, "by_place": {"table": rows}}
