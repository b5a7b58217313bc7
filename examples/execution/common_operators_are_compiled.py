"""
Common operators are compiled
=============================

Which operators does PyTorch compile when they are first called? Not only functions of
``torch.special``: some common ones, too, and some for complex numbers alone. Each of them leaves a
file in the cache.
"""

# sphinx_gallery_evidence = {"processes": 1, "timeout": 60, "fresh": True}
# sphinx_gallery_quiet = "nothing"
import os
import tempfile
from pathlib import Path

folder = tempfile.TemporaryDirectory()
os.environ["PYTORCH_KERNEL_CACHE_PATH"] = folder.name
os.environ["USE_PYTORCH_KERNEL_CACHE"] = "1"

import torch

x = torch.rand(1000, device="cuda") + 1
z, n = torch.complex(x, x), torch.arange(1, 1001, device="cuda")

# %%
# Call each operator once, and count the files that are new.

CALLS = """
zeta: torch.special.zeta(x, x) | lgamma: torch.lgamma(x) | erfinv: torch.erfinv(x - 1)
prod: torch.prod(x) | gcd: torch.gcd(n, n) | lcm: torch.lcm(n, n)
complex-sin: torch.sin(z) | complex-sigmoid: torch.sigmoid(z)
sin: torch.sin(x) | sigmoid: torch.sigmoid(x) | erf: torch.erf(x) | sum: torch.sum(x)
cumprod: torch.cumprod(x, 0) | remainder: torch.remainder(n, n) | complex-add: z + z
"""


def files():
    return len(list(Path(folder.name).iterdir()))


rows = []
for part in CALLS.strip().replace("\n", " | ").split(" | "):
    name, code = part.split(": ")
    before = files()
    eval(code)
    torch.cuda.synchronize()
    rows.append({"call": name, "code": code, "files": files() - before})
    print("{code:>24}: {files} new files".format(**rows[-1]))
folder.cleanup()

measured = {"by_call": {"table": rows}}
