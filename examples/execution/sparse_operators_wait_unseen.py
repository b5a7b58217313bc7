"""
Sparse operators wait unseen
============================

Which calls wait for the GPU without a report of the sync debug mode? Besides factorizations, some
operators on sparse tensors do, and ``unique`` with a dimension. Each runs behind a kernel that
holds the stream, and in the debug mode.
"""

# sphinx_gallery_evidence = {"processes": 1}
import warnings

import torch

rows = torch.randint(0, 2, (64, 3), device="cuda")
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    torch.cuda.set_sync_debug_mode("warn")
    rows.unique(dim=0)  # waits
    rows.unique()  # waits, too
    torch.cuda.set_sync_debug_mode("default")
for warning in caught:
    print(f"line {warning.lineno}: {str(warning.message)[:60]}")

# %%
# One matrix in both sparse layouts, and a matrix with two numbers for one place, as gradients of an
# embedding may have.

warnings.simplefilter("ignore")  # about the debug mode, and about CSR
dense = torch.eye(50, device="cuda")
coo, csr = dense.to_sparse(), dense.to_sparse_csr()
twice = torch.zeros(2, 2, dtype=torch.long, device="cuda")

CALLS = {
    "unique": rows.unique,
    "unique, dim": lambda: rows.unique(dim=0),
    "unique_consecutive, dim": lambda: torch.unique_consecutive(rows, dim=0),
    "coalesce": lambda: torch.sparse_coo_tensor(twice, dense[0, :2], (2, 2)).coalesce(),
    "sum": lambda: torch.sparse.sum(coo, 0),
    "sparse @ sparse": lambda: coo @ coo,
    "CSR @ CSR": lambda: csr @ csr,
    "sparse @ dense": lambda: coo @ dense,
    "CSR @ dense": lambda: csr @ dense,
    "sparse + sparse": lambda: coo + coo,
}

# %%
# A call that waits returns after the sleeping kernel that holds the stream (its function is private
# to PyTorch and may change). The debug mode can raise what it reports. The first two runs of a call
# load kernels and allocate memory, and do not count.

TRIES, HOLD = 3, 60_000_000  # cycles: about thirty milliseconds
event = torch.cuda.Event()


def waited(call):
    torch.cuda.synchronize()
    torch.cuda._sleep(HOLD)
    event.record()
    call()
    return event.query()


def reported(call):
    torch.cuda.set_sync_debug_mode("error")
    try:
        call()
        return False
    except RuntimeError as error:
        return "called a synchronizing CUDA operation" in str(error)
    finally:
        torch.cuda.set_sync_debug_mode("default")


table = []
for name, call in CALLS.items():
    call(), call()
    count = sum(waited(call) for _ in range(TRIES))
    table.append({"call": name, "waited": count, "reported": reported(call)})
    print(*table[-1].values(), sep=" | ")

measured = {"tries": TRIES, "by_call": {"table": table}}
