"""
A product repeats bit for bit
=============================

Does this GPU compute the same twice? The same product of the same matrices, by the same kernel,
has the same bits each time. A result that differs is a fault of the GPU, or of its memory, whose
error counts the driver knows.
"""

# sphinx_gallery_quiet = "nothing"
import subprocess
import time

import torch

# %%
# Small whole numbers: every product and every sum is exact in FP32, in whatever order, so that the
# host can say what is right without rounding.

SIZE, RUNS = 4096, 20
generator = torch.Generator().manual_seed(0)
a, b = (
    torch.randint(-8, 9, (SIZE, SIZE), generator=generator).to("cuda", torch.float32)
    for _ in range(2)
)
noise = torch.randn(SIZE, SIZE, generator=generator).to("cuda")

# %%
# All the bits of the first product of random numbers are what the others are compared with.

begin = time.perf_counter()
first = noise @ noise
same = sum(torch.equal(noise @ noise, first) for _ in range(RUNS))
print(f"{same} of {RUNS} equal the first, in {time.perf_counter() - begin:.1f} s")

# %%
# What is always wrong is always the same: check some rows of whole numbers on the host as well.

ROWS = 64
right = a[:ROWS].cpu().double() @ b.cpu().double()
exact_rows = sum(
    torch.equal(x, y) for x, y in zip((a @ b)[:ROWS].cpu().double(), right)
)
print(f"{exact_rows} of {ROWS} rows are right")

# %%
# What the driver counts: errors that could not be corrected, and rows of the memory that wait for
# a restart to be replaced, or cannot be. GPUs without such counts say that they have none.


def told(query):
    command = ["nvidia-smi", query, "--format=csv,noheader"]
    lines = subprocess.check_output(command, text=True).splitlines()
    (line,) = (line for line in lines if uuid in line)
    return line.split(", ")[1:]


uuid = f"GPU-{torch.cuda.get_device_properties(0).uuid}"
known = told("--query-gpu=uuid,ecc.errors.uncorrected.volatile.total")
rows = "remapped_rows.pending,remapped_rows.failure"
known += told(f"--query-remapped-rows=gpu_uuid,{rows}")
print(f"errors, rows that wait, rows that cannot be replaced: {', '.join(known)}")
faults = sum(word not in ("0", "No", "N/A", "[N/A]") for word in known)

# %%
# Nothing here varies on a healthy machine.

measured = {
    "runs": RUNS,
    "same_runs": same,
    "rows": ROWS,
    "exact_rows": exact_rows,
    "faults": faults,
}
