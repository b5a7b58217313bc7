"""
Launch blocking names the culprit
=================================

Why does an error on the GPU name a line that cannot fail? The kernel runs later than the line
that launched it, and the error surfaces at the line that waits. With
``CUDA_LAUNCH_BLOCKING=1``, every launch waits, and the error names the line that launched it.
"""

import json
import os
import subprocess
import sys

# %%
# CUDA reads the variable when it starts, and a process cannot use the GPU after a device-side
# assert. The program below therefore runs in separate processes. First, it counts the launches
# that return before half of their work is done.

PROGRAM = """
import json, time, traceback
import torch

a = torch.randn(4096, 4096, device="cuda")

def returns_early():
    torch.cuda.synchronize()
    begin = time.perf_counter()
    a @ a
    returned = time.perf_counter()
    torch.cuda.synchronize()
    return returned - begin < 0.5 * (time.perf_counter() - begin)

returns_early()
early = sum(returns_early() for _ in range(20))
"""

# %%
# Then it looks up a row that does not exist while the GPU is still busy with a delay, and carries
# on. A valid lookup comes first: CUDA loads a kernel at its first launch, and then waits. The
# delay's function is private to PyTorch and may change.

PROGRAM += """
table = torch.arange(4.0, device="cuda")
inside, outside = torch.tensor([[3], [9]], device="cuda")

def look_up(index):
    torch.cuda._sleep(100_000_000)
    row = table[index]
    larger = row + 1
    return larger.item()

look_up(inside)
"""

# %%
# It reports the line that the exception names, and whether the GPU is usable afterwards.

PROGRAM += """
message, line, usable = "no error", 0, True
try:
    look_up(outside)
except RuntimeError as error:
    message = type(error).__name__ + ": " + str(error).splitlines()[0]
    line = traceback.extract_tb(error.__traceback__)[-1].lineno
try:
    torch.ones(3, device="cuda").sum().item()
except RuntimeError:
    usable = False
print(json.dumps([early, message, line, usable]), flush=True)
"""

# %%
# Run it once without the variable, and once with it.


def run(**variables):
    environment = {**os.environ, "CUDA_LAUNCH_BLOCKING": "0", **variables}
    command = [sys.executable, "-c", PROGRAM]
    process = subprocess.run(command, env=environment, capture_output=True, text=True)
    if not process.stdout:
        raise RuntimeError(process.stderr[-2000:])
    early, message, line, usable = json.loads(process.stdout.splitlines()[-1])
    named = PROGRAM.splitlines()[line - 1].strip()
    print(f"{variables}: {early} of 20 launches returned early\n    {message}")
    print(f"    raised at {named!r}; GPU usable afterwards: {usable}")
    return early, named, message, usable


early, named, message, usable = run()
early_blocking, named_blocking, *_ = run(CUDA_LAUNCH_BLOCKING="1")

# %%
# Both runs raise the same error, at different lines.

measured = {
    "launches": 20,
    "early": early,
    "early_blocking": early_blocking,
    "message": message,
    "named": named,
    "named_blocking": named_blocking,
    "usable_afterwards": usable,
}
