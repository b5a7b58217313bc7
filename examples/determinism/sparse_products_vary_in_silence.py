"""
Sparse products vary in silence
===============================

Does deterministic mode make every operator repeat its bits or raise? Products with a sparse matrix
do neither on the GPU, and nor do two scans: they vary, without an error or a warning.
"""

# sphinx_gallery_evidence = {"processes": 1, "expected_warnings": ["Sparse"]}
import warnings

import torch

torch.use_deterministic_algorithms(True)
SIZE, COUNT = 20_000, 1_000_000
places = torch.randint(SIZE, (2, COUNT), device="cuda")
places[0, : COUNT // 2] = 0  # one long row
values = torch.randn(COUNT, device="cuda")
sparse = torch.sparse_coo_tensor(places, values, (SIZE, SIZE)).coalesce()
dense = torch.randn(SIZE, 64, device="cuda")

first = sparse @ dense
print(
    "other bits:",
    sum(not torch.equal(first, sparse @ dense) for _ in range(20)),
    "of 20",
)

# %%
# The same product, written out: a row of ``dense`` for each value, added up in deterministic mode.


def product_by_hand(sparse, dense):
    rows, columns = sparse.indices()
    parts = sparse.values()[:, None] * dense[columns]
    return dense.new_zeros(sparse.shape[0], dense.shape[1]).index_add(0, rows, parts)


# %%
# Other formats and types, products with a vector, backward passes, a sparse matrix whose rows are
# all short, and scans. ``warned`` counts warnings that speak of determinism.

RUNS = 20
csr, csc = sparse.to_sparse_csr(), sparse.to_sparse_csc()
places = torch.randint(SIZE, (2, COUNT), device="cuda")
short = torch.sparse_coo_tensor(places, values, (SIZE, SIZE)).coalesce()
short_csr = short.to_sparse_csr()
double_csr = torch.sparse_csr_tensor(
    csr.crow_indices(), csr.col_indices(), csr.values().double(), csr.shape
)
slopes, vector = torch.randn_like(dense), dense[:, 0].contiguous()
numbers = torch.randn(2**23, device="cuda")
factors = 1 + numbers / 1e5
few = torch.sparse_coo_tensor(places[:, :SIZE], values[:SIZE], (SIZE, SIZE)).coalesce()


def backward(product, x):
    x = x.detach().clone().requires_grad_()
    gradient = torch.autograd.grad(product(x), x, slopes)[0]
    return gradient.coalesce().values() if gradient.is_sparse else gradient


CALLS = {
    "COO": lambda: sparse @ dense,
    "COO, vector": lambda: sparse @ vector,
    "COO, FP64": lambda: sparse.double() @ dense.double(),
    "COO, addmm": lambda: torch.sparse.addmm(slopes, sparse, dense),
    "COO, short rows": lambda: short @ dense,
    "COO, backward": lambda: backward(lambda x: torch.sparse.mm(sparse, x), dense),
    "COO, backward to values": lambda: backward(
        lambda x: torch.sparse.mm(x, dense), sparse
    ),
    "CSR": lambda: csr @ dense,
    "CSR, vector": lambda: csr @ vector,
    "CSR, FP64": lambda: double_csr @ dense.double(),
    "CSR, short rows": lambda: short_csr @ dense,
    "CSR, backward": lambda: backward(lambda x: csr @ x, dense),
    "CSC": lambda: csc @ dense,
    "two sparse": lambda: torch.sparse.mm(few, few).coalesce().values(),
    "COO, bmm": lambda: torch.bmm(sparse.unsqueeze(0), dense.unsqueeze(0)),
    "by hand": lambda: product_by_hand(sparse, dense),
    "by hand, backward": lambda: backward(lambda x: product_by_hand(sparse, x), dense),
    "cumprod": lambda: factors.cumprod(0),
    "cumprod, FP64": lambda: factors.double().cumprod(0),
    "cumprod, rows": lambda: factors.view(2048, -1).cumprod(1),
    "logcumsumexp": lambda: numbers.logcumsumexp(0),
    "logcumsumexp, FP64": lambda: numbers.double().logcumsumexp(0),
    "logcumsumexp, rows": lambda: numbers.view(2048, -1).logcumsumexp(1),
    "cumsum": lambda: numbers.cumsum(0),
}


def tried(call):
    try:
        first = call()
        return str(sum(not torch.equal(first, call()) for _ in range(RUNS)))
    except RuntimeError as raised:
        return "raises " + str(raised).partition("\n")[0][:80]


table = []
for name, call in CALLS.items():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        others = tried(call)
    warned = sum("determin" in str(w.message) for w in caught)
    table.append({"call": name, "others": others, "warned": warned})
    table[-1]["varies"] = others.isdecimal() and others != "0"
    print(table[-1])

by_hand = product_by_hand(sparse, dense) - first
measured = {
    "runs": RUNS,
    "by_hand_error_share": (by_hand.norm() / first.norm()).item(),
    "warned": sum(row["warned"] for row in table),
    "by_call": {"table": table},
}
