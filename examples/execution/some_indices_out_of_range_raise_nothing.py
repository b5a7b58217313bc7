"""
Some indices out of range raise nothing
=======================================

Which operators notice an index that is out of range on the GPU? Most stop with a device-side
assert, and some check on the host. A few read whatever lies there, and go on.
"""

# sphinx_gallery_quiet = "nothing"
import json
import os
import subprocess
import sys

# %%
# In each call, ``i`` is a position, class or coordinate; ``SIZE`` is the first one out of range.

PROGRAM = """
import json, os, signal, sys
import torch
from torch.nn import functional as F

SIZE, device, unchecked = 50, sys.argv[1], {"check_invariants": False}

def ones(*shape): return torch.ones(shape, device=device)
def whole(*numbers): return torch.tensor(numbers, device=device)
def coo(i): return torch.sparse_coo_tensor(whole(i)[None], ones(1), (SIZE,), **unchecked)
def csr(i): return torch.sparse_csr_tensor(whole(0, 1), whole(i), ones(1), (1, SIZE), **unchecked)

CASES = {
    "index": lambda i: ones(SIZE)[whole(i)],
    "index_put": lambda i: ones(SIZE).index_put_((whole(i),), ones(1)),
    "index_put, accumulate": lambda i: ones(SIZE).index_put((whole(i),), ones(1), True),
    "index_select": lambda i: ones(SIZE).index_select(0, whole(i)),
    "index_add": lambda i: ones(SIZE).index_add(0, whole(i), ones(1)),
    "index_copy": lambda i: ones(SIZE).index_copy(0, whole(i), ones(1)),
    "index_fill": lambda i: ones(SIZE).index_fill(0, whole(i), 2.0),
    "gather": lambda i: ones(SIZE).gather(0, whole(i)),
    "scatter": lambda i: ones(SIZE).scatter(0, whole(i), 2.0),
    "scatter_add": lambda i: ones(SIZE).scatter_add(0, whole(i), ones(1)),
    "scatter_reduce": lambda i: ones(SIZE).scatter_reduce(0, whole(i), ones(1), "amax"),
    "take": lambda i: ones(SIZE).take(whole(i)),
    "put": lambda i: ones(SIZE).put(whole(i), ones(1)),
    "take_along_dim": lambda i: ones(SIZE).take_along_dim(whole(i), 0),
    "embedding": lambda i: F.embedding(whole(i), ones(SIZE, 4)),
    "embedding_bag": lambda i: F.embedding_bag(whole(i, 0), ones(SIZE, 4), whole(0)),
    "embedding_bag, offset": lambda i: F.embedding_bag(
        whole(*range(SIZE - 1)), ones(SIZE, 4), whole(0, i)),
    "one_hot": lambda i: F.one_hot(whole(i), SIZE),
    "cross_entropy": lambda i: F.cross_entropy(ones(1, SIZE), whole(i)),
    "nll_loss": lambda i: F.nll_loss(ones(1, SIZE, 1, 1), whole(i)[None, None]),
    "multi_margin_loss": lambda i: F.multi_margin_loss(ones(1, SIZE), whole(i)),
    "multilabel_margin_loss": lambda i: F.multilabel_margin_loss(
        ones(SIZE), whole(i, *[-1] * (SIZE - 1))),
    "ctc_loss": lambda i: F.ctc_loss(ones(9, 1, SIZE), whole(i)[None], [9], [1]),
    "max_unpool1d": lambda i: F.max_unpool1d(ones(1, 1, 1), whole(i)[None, None], SIZE),
    "searchsorted, sorter": lambda i: torch.searchsorted(
        ones(SIZE), ones(1), sorter=whole(i, *range(1, SIZE))),
    "segment_reduce, unsafe": lambda i: torch.segment_reduce(
        ones(SIZE - 1), "sum", offsets=whole(0, i), unsafe=True),
    "COO, to_dense": lambda i: coo(i).to_dense(),
    "CSR, to_dense": lambda i: csr(i).to_dense(),
    "CSR @ dense": lambda i: csr(i) @ ones(SIZE, 4),
}

def outcome(call):
    try:
        call(SIZE - 1)
    except Exception as error:
        return "cannot: " + str(error)[:80]
    try:
        call(SIZE)
        device == "cuda" and torch.cuda.synchronize()
    except Exception as error:
        said = str(error)
        late = "illegal access" if "illegal" in said else "raises"
        return "asserts" if "device-side assert" in said else late
    return "nothing"
"""

# %%
# Each call has a process of its own, forked from one that has torch and has not used CUDA. A right
# call comes first; after the wrong one, the process waits for the GPU.

PROGRAM += """
def forked(call):
    reading, writing = os.pipe()
    if child := os.fork():
        os.close(writing)
        return child, reading
    signal.alarm(60)
    os.write(writing, outcome(call).encode())
    os._exit(0)

names, found = list(CASES), {}
for some in [names[i : i + 8] for i in range(0, len(names), 8)]:
    for name, (child, reading) in [(name, forked(CASES[name])) for name in some]:
        found[name] = os.read(reading, 200).decode() or "crashes"
        os.waitpid(child, 0)
print(json.dumps(found))
"""
threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def run(device):
    command = [sys.executable, "-W", "ignore", "-c", PROGRAM, device]
    environment = {**os.environ, **threads, "CUDA_LAUNCH_BLOCKING": "0"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


on_gpu, on_cpu = run("cuda"), run("cpu")
rows = [{"call": each, "gpu": on_gpu[each], "cpu": on_cpu[each]} for each in on_gpu]
for row in rows:
    print(f"{row['call']:>24}: {row['gpu']:<16}{row['cpu']} on the CPU")

# %%
# What each call does on the GPU and on the CPU.

silent = [row["call"] for row in rows if row["gpu"] == "nothing"]
measured = {"calls": len(rows), "silent": len(silent), "by_call": {"table": rows}}
