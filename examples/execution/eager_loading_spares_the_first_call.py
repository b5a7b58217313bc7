"""
Eager loading spares the first call
===================================

Can the first calls be as fast as later ones? CUDA loads a kernel when it is first launched, and
often waits for the GPU to do it. With ``CUDA_MODULE_LOADING=EAGER``, it loads all kernels with the
context: first calls no longer wait, but the context takes longer and more of the GPU's memory.
"""

# sphinx_gallery_evidence = {"processes": 1}
import json
import os
import subprocess
import sys

# %%
# The program sets up the context and counts the memory that it takes. Only its own work is on the
# GPU, and PyTorch's allocator holds next to nothing yet.

PROGRAM = """
import json, time
import torch

begin = time.perf_counter()
x = torch.full((1000,), 0.5, device="cuda")
torch.cuda.synchronize()
context = time.perf_counter() - begin
free, total = torch.cuda.mem_get_info()
taken = total - free - torch.cuda.memory_reserved()
"""

# %%
# Then it calls operations that are not used anywhere else in the process, behind a kernel that only
# sleeps (its function is private to PyTorch and may change): longer than it takes to load a kernel.
# Does the call return before that?

PROGRAM += """
NAMES = "reciprocal square abs neg sign floor ceil trunc round frac erf sqrt sigmoid relu"
NAMES += " signbit logical_not isnan exp sin tanh"
held = torch.cuda.Event()
torch.cuda._sleep(1)

def waits(name, cycles):
    torch.cuda.synchronize()
    torch.cuda._sleep(cycles)
    held.record()
    getattr(torch, name)(x)
    return held.query()

first = [name for name in NAMES.split() if waits(name, 100_000_000)]
later = [name for name in NAMES.split() if waits(name, 20_000_000)]
print(json.dumps([first, later, taken, context]))
"""

# %%
# CUDA reads the variable when it starts. The processes run one after the other: both count memory.


def run(loading):
    environment = {**os.environ, "CUDA_MODULE_LOADING": loading}
    command = [sys.executable, "-c", PROGRAM]
    process = subprocess.run(command, env=environment, capture_output=True, text=True)
    if process.returncode:
        raise RuntimeError(process.stderr[-2000:])
    return json.loads(process.stdout.splitlines()[-1])


lazy, eager = run("LAZY"), run("EAGER")
for way, (first, later, taken, context) in {"lazy": lazy, "eager": eager}.items():
    print(f"{way:>5}: {len(first)} of 20 first calls waited, {len(later)} later ones:")
    print(f"       {' '.join([*first, *later])}")
    print(f"       context {context:.2f} s, {taken / 2**20:.0f} MiB")

# %%
# How many calls waited, and what the context takes in comparison.

measured = {
    "operations": 20,
    "lazy_first_waited": len(lazy[0]),
    "lazy_later_waited": len(lazy[1]),
    "eager_first_waited": len(eager[0]),
    "eager_later_waited": len(eager[1]),
    "lazy_bytes": lazy[2],
    "eager_bytes": eager[2],
    "eager_over_threefold": eager[3] > 3 * lazy[3],
}
