"""
Compiled code repeats in deterministic mode
===========================================

Does compiled code repeat its bits? Not where it adds with atomics, and it may not repeat them in
another process. In deterministic mode, the compiler leaves such sums to PyTorch's operators.
"""

# sphinx_gallery_evidence = {"processes": 1, "timeout": 240, "expected_warnings": [".*deprecated"]}
import torch

N = 2**20
index, values = torch.randint(64, (N,), device="cuda"), torch.randn(N, device="cuda")


@torch.compile
def total():
    return torch.zeros(64, device="cuda").index_add(0, index, values)


first = total()
print("other bits:", sum(not torch.equal(first, total()) for _ in range(20)), "of 20")

# %%
# Other calls, in programs of their own: two without the mode and two with it, which compile
# everything anew. Each gives the number of runs that differ from its first, and a digest of that
# one. Gradients are those of all inputs, from random slopes.

import json
import os
import sys
import tempfile
from subprocess import DEVNULL, PIPE, Popen

PROGRAM = """
import hashlib, json, sys, warnings, torch
from torch.nn import functional as F
from torch.nn.attention.flex_attention import flex_attention
warnings.simplefilter("ignore")  # the compiler's own
torch.use_deterministic_algorithms(sys.argv[1] == "on")
torch.utils.deterministic.fill_uninitialized_memory = False
torch.manual_seed(0)
def leaf(*shape, dtype=torch.float32):
    return torch.randn(*shape, device="cuda", dtype=dtype, requires_grad=True)
N, RUNS = 2**20, 20
index, zeros = torch.randint(64, (N,), device="cuda"), torch.zeros(64, device="cuda")
few = index[: N // 8]
rows, vector, table, weight, bias = leaf(4096, 1024), leaf(N), leaf(64, 8), leaf(1024), leaf(1024)
q, k, v = (leaf(2, 8, 1024, 64, dtype=torch.bfloat16) for _ in range(3))
square = leaf(1024, 1024)
CASES = {
    "sum": (lambda x: x.square().sum(), rows),
    "sum of columns": (lambda x: x.square().sum(0), rows),
    "softmax": (lambda x: x.softmax(-1), rows),
    "layer norm": (lambda x, w, b: F.layer_norm(x, (1024,), w, b), rows, weight, bias),
    "matmul, then GELU": (lambda x, w: F.gelu(x @ w), rows, square),
    "index_add": (lambda x: zeros.index_add(0, index, x), vector),
    "scatter_add": (lambda x: zeros.scatter_add(0, index, x), vector),
    "gather": (lambda x: x.gather(0, index), leaf(64)),
    "embedding": (lambda x: F.embedding(few, x), table),
    "cumsum": (lambda x: x.cumsum(0), vector),
    "attention": (lambda *x: F.scaled_dot_product_attention(*x), q, k, v),
    "FlexAttention": (lambda *x: flex_attention(*x), q, k, v),
}
def bits(tensors):
    raw = [x.detach().contiguous().reshape(-1).view(torch.uint8).cpu() for x in tensors]
    return hashlib.sha256(b"".join(x.numpy().tobytes() for x in raw)).hexdigest()
def both(function, leaves, slopes):
    y = function(*leaves)
    return bits([y]), bits(torch.autograd.grad(y, leaves, slopes))
def examined(name, function, *leaves):
    try:
        slopes = torch.randn_like(function(*leaves))
        compiled = torch.compile(function, dynamic=False)
        first, *rest = [both(compiled, leaves, slopes) for _ in range(RUNS + 1)]
    except Exception as error:
        said = "raises " + type(error).__name__
        return [[name, said, ""], [name + ", backward", said, ""]]
    names = name, name + ", backward"
    return [[n, sum(r[i] != first[i] for r in rest), first[i]] for i, n in enumerate(names)]
print(json.dumps([row for name, case in CASES.items() for row in examined(name, *case)]))
"""
folders = [tempfile.mkdtemp() for _ in range(4)]  # nothing compiled before
parts = []
for folder, mode in zip(folders, ("off", "off", "on", "on")):
    environment = os.environ | {"TORCHINDUCTOR_CACHE_DIR": folder}
    command = [sys.executable, "-W", "ignore", "-c", PROGRAM, mode]
    parts.append(Popen(command, stdout=PIPE, stderr=DEVNULL, env=environment))
said = [json.loads(part.communicate()[0].splitlines()[-1]) for part in parts]

# %%
# How many of the runs in both processes differ, and whether the two agree in their first runs?

rows = []
for one, other, first, second in zip(*said):
    row = {"call": one[0]}
    for end, a, b in (("", one, other), ("_switched", first, second)):
        differ = [found for _, found, _ in (a, b)]
        raised = [found for found in differ if isinstance(found, str)]
        row["others" + end] = raised[0] if raised else str(sum(differ))
        row["agree" + end] = not raised and a[2] == b[2]
    rows.append(row)
    print(row)
measured = {"runs": 40, "calls": len(rows), "by_call": {"table": rows}}
for end in "", "_switched":
    varied = [row["call"] for row in rows if row["others" + end].strip("0").isdecimal()]
    raised = [row["call"] for row in rows if "raises" in row["others" + end]]
    disagree = [row["call"] for row in rows if not row["agree" + end]]
    for name, calls in {"vary": varied, "raise": raised, "disagree": disagree}.items():
        measured[name + end] = "; ".join(calls) or "none"
