"""
A compiled kernel is kept on disk
=================================

Why does the first call of some functions take so long? PyTorch compiles their kernels when they are
first called, and keeps them in a cache on disk: the next process loads them from there. Where there
is no cache, each process compiles them again.
"""

# sphinx_gallery_evidence = {"timeout": 90}
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median

import torch

# %%
# The program times first and second calls: of functions that PyTorch compiles, and of functions
# whose kernels are in its library. The first of either kind does not count: it loads the compiler,
# if it is needed.

COMPILED = ["zeta", "airy_ai", "bessel_j0", "bessel_y1"]
CONTAINED = ["erf", "expm1", "log1p", "expit"]

PROGRAM = """
import json, sys, time
import torch
from torch import special

x = torch.full((1000,), 2.0, device="cuda")

def seconds(name):
    function = getattr(special, name)
    torch.cuda.synchronize()
    begin = time.perf_counter()
    function(x, x) if name == "zeta" else function(x)
    torch.cuda.synchronize()
    return time.perf_counter() - begin

print(json.dumps([[seconds(name), seconds(name)] for name in sys.argv[1:]]))
"""

# %%
# The cache is a folder that PyTorch takes from the environment. CUDA has a cache of its own, which
# is turned off here.


def run(folder, use="1"):
    environment = {**os.environ, "PYTORCH_KERNEL_CACHE_PATH": folder}
    environment |= {"USE_PYTORCH_KERNEL_CACHE": use, "CUDA_CACHE_DISABLE": "1"}
    command = [sys.executable, "-c", PROGRAM, *COMPILED, *CONTAINED]
    process = subprocess.run(command, env=environment, capture_output=True, text=True)
    if process.returncode:
        raise RuntimeError(process.stderr[-2000:])
    times = json.loads(process.stdout.splitlines()[-1])
    compiled, contained = times[1 : len(COMPILED)], times[len(COMPILED) + 1 :]
    firsts = [median(first for first, _ in kind) for kind in (compiled, contained)]
    return {
        "compiled": firsts[0],
        "contained": firsts[1],
        "again": median(again for _, again in compiled),
        "files": sorted(path.name for path in Path(folder).iterdir()),
    }


# %%
# Two processes have an empty cache, which is turned off for one of them. The other fills it, and
# the third process finds it filled.

with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as unused:
    with ThreadPoolExecutor() as pool:
        empty, off = pool.map(run, (folder, unused), "10")
    runs = {"empty": empty, "filled": run(folder), "off": off}
for name, found in runs.items():
    print(f"cache {name}: {len(found['files'])} files; median of the first calls:")
    times = (1e3 * found[kind] for kind in ("compiled", "contained", "again"))
    print("    compiled {:.1f} ms, contained {:.1f} ms; again {:.3f} ms".format(*times))

# %%
# Each file belongs to one function, one type of number, one kind of GPU and one version of the
# compiler.

capability = ".".join(map(str, torch.cuda.get_device_capability()))
names = runs["empty"]["files"]
print(*names, sep="\n")
compiles, loads = runs["empty"]["compiled"], runs["filled"]["compiled"]

measured = {
    "functions": len(COMPILED),
    "files": len(names),
    "files_for_this_gpu": sum(f"_arch{capability}_nvrtc" in name for name in names),
    "files_unchanged": runs["filled"]["files"] == names,
    "files_when_off": len(runs["off"]["files"]),
    "compiling_over_tenfold": compiles > 10 * runs["empty"]["contained"],
    "loading_below_a_fifth": loads < compiles / 5,
    "off_compiles_again": runs["off"]["compiled"] > 5 * loads,
}
