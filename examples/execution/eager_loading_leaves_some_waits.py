"""
Eager loading leaves some waits
===============================

Does no first call wait with ``CUDA_MODULE_LOADING=EAGER``? Some still do,
such as that of ``torch.igamma``; a second call does not.
"""

# sphinx_gallery_evidence = {"processes": 1}
import json
import os
import subprocess
import sys

# %%
# Each operation is called twice behind a kernel that only sleeps (its function is private to
# PyTorch, and may change). The allocator has memory for the result.

PROGRAM = """
import json, torch

x = torch.full((1000,), 0.5, device="cuda")
CALLS = {"exp": lambda: torch.exp(x), "igamma": lambda: torch.igamma(x, x)}
held = torch.cuda.Event()
torch.cuda._sleep(1)

def waits(call):
    torch.cuda.synchronize()
    torch.cuda._sleep(200_000_000)
    held.record()
    call()
    return held.query()

print(json.dumps({name: [waits(call), waits(call)] for name, call in CALLS.items()}))
"""

# %%
# Two processes, each with the variable set.

environment = {**os.environ, "CUDA_MODULE_LOADING": "EAGER"}
command = [sys.executable, "-c", PROGRAM]
running = [
    subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    for _ in range(2)
]
seen = []
for process in running:
    output, _ = process.communicate(timeout=50)
    if process.returncode:
        raise RuntimeError(f"the program failed: {process.returncode}")
    seen.append(json.loads(output.splitlines()[-1]))

# %%
# In how many processes did the first call wait, and the second?

table = []
for name in seen[0]:
    first, second = (sum(found[name][turn] for found in seen) for turn in range(2))
    table.append({"call": name, "first": first, "second": second})
    print(table[-1])
measured = {"processes": len(seen), "by_call": {"table": table}}
