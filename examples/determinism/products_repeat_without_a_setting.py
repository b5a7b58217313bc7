"""
Products repeat without a setting
=================================

Is ``CUBLAS_WORKSPACE_CONFIG`` still needed for the same bits? Deterministic mode no longer asks for
it, and a thousand products of each shape gave the same bits with every value and without one.
"""

# sphinx_gallery_evidence = {"processes": 1, "timeout": 120}
# sphinx_gallery_quiet = "nothing"
import torch

torch.use_deterministic_algorithms(True)
x, y = torch.randn(2, 64, 2**16, device="cuda")
streams = torch.cuda.Stream(), torch.cuda.Stream()
first = x @ y.T
others = torch.zeros(2, dtype=torch.int64, device="cuda")
torch.cuda.synchronize()
for _ in range(500):
    for n, stream in enumerate(streams):
        with torch.cuda.stream(stream):
            others[n] += (x @ y.T != first).any()
torch.cuda.synchronize()
print("others:", others.sum().item(), "of 1000")

# %%
# The same in processes of their own, for each value of the variable, and for products of several
# shapes and types. The workspace is what the first product takes besides its result, at its peak.

import json
import os
import subprocess
import sys

PROGRAM = """
import json, sys
import torch
torch.use_deterministic_algorithms("no switch" not in sys.argv)
torch.manual_seed(0)
streams = torch.cuda.Stream(), torch.cuda.Stream()
result = {"others": 0, "products": 0, "raised": "none", "bits": [], "workspace": 0}

def repeated(x, y):
    first = x @ y
    others = torch.zeros(2, dtype=torch.int64, device="cuda")
    torch.cuda.synchronize()
    for _ in range(RUNS // 2):
        for n, stream in enumerate(streams):
            with torch.cuda.stream(stream):
                others[n] += (x @ y != first).any()
    torch.cuda.synchronize()
    result["others"] += others.sum().item()
    result["products"] += RUNS
    return first.double().view(torch.int64).remainder(2**31 - 1).sum().item()

try:
    one = torch.ones(16, 16, device="cuda")
    before = torch.cuda.memory_allocated()
    two = one @ one
    result["workspace"] = torch.cuda.max_memory_allocated() - before - two.nbytes
    for m, k, n in SHAPES:
        for kind in torch.float32, torch.bfloat16:
            x = torch.randn(m, k, device="cuda", dtype=kind)
            y = torch.randn(k, n, device="cuda", dtype=kind)
            result["bits"].append(repeated(x, y))
except RuntimeError as error:
    result["raised"] = f"RuntimeError: {error}"
print(json.dumps(result))
"""
SHAPES = (64, 2**16, 64), (1, 4096, 4096), (512, 512, 512), (2048, 4096, 1000)
RUNS = 1000
SETTINGS = "none", "no switch", ":4096:8", ":16:8", ":0:0"


def found_with(setting):
    names = os.environ.items()
    environment = {k: v for k, v in names if k != "CUBLAS_WORKSPACE_CONFIG"}
    if setting.startswith(":"):
        environment["CUBLAS_WORKSPACE_CONFIG"] = setting
    program = f"SHAPES, RUNS = {SHAPES, RUNS}\n{PROGRAM}"
    command = [sys.executable, "-c", program, setting]
    said = subprocess.run(command, env=environment, capture_output=True, text=True)
    return json.loads(said.stdout.splitlines()[-1])


# %%
# One after the other, so that none disturbs another. The second is not in deterministic mode.

found = {name: found_with(name) for name in SETTINGS}
rows = [
    {
        "setting": name.strip(":").replace(":", " × "),
        "others": one["others"],
        "raised": one["raised"],
        "workspace_bytes": one["workspace"],
        "other_bits": sum(a != b for a, b in zip(one["bits"], found["none"]["bits"])),
    }
    for name, one in found.items()
]
print(*rows, sep="\n")
measured = {
    "products": found["none"]["products"],
    "kinds": len(found["none"]["bits"]),
    "by_setting": {"table": rows},
}
