"""
Sparse sums may vary as well
============================

Do sparse calls repeat, other than products with a dense matrix, and gradients of scans? Sums of
values at one place vary, and repeat in deterministic mode. Gradients of two scans vary in it, too.
"""

# sphinx_gallery_evidence = {"processes": 1, "expected_warnings": ["Sparse", "Attempting", "bsr"]}
import torch

torch.use_deterministic_algorithms(True)
SIZE, COUNT = 20_000, 1_000_000
spots = torch.randint(SIZE, (2, COUNT), device="cuda")
spots[0, : COUNT // 2] = 0  # one long row
values = torch.randn(COUNT, device="cuda")
coo = torch.sparse_coo_tensor(spots, values, (SIZE, SIZE)).coalesce()

first = torch.sparse.softmax(coo, 1).coalesce().values()
others = [torch.sparse.softmax(coo, 1).coalesce().values() for _ in range(20)]
print("other bits:", sum(not torch.equal(first, other) for other in others), "of 20")

# %%
# Other calls: sums, conversions, sampled products and blocks, and the gradients of scans of a long
# vector and along rows.

twice = torch.sparse_coo_tensor(spots % 500, values, (SIZE, SIZE))  # not coalesced
csr, dense = coo.to_sparse_csr(), torch.randn(SIZE, 64, device="cuda")
blocks = torch.randn(2048, 2048, device="cuda").to_sparse_bsr((16, 16))
places, table = spots % 64, torch.randn(64, 64, device="cuda")
numbers = torch.randn(2**23, device="cuda")
rows_of = numbers.view(2048, -1)


def slope(function, x):
    x = x.detach().requires_grad_()
    result = function(x)
    torch.manual_seed(0)
    return torch.autograd.grad(result, x, torch.randn_like(result))[0]


CALLS = """\
to_dense, not coalesced: twice.to_dense()
coalesce: twice.coalesce().values()
sum of rows, COO: torch.sparse.sum(coo, 1).to_dense()
sum of columns, COO: torch.sparse.sum(coo, 0).to_dense()
sum of rows, CSR: csr.sum(1, keepdim=True).to_dense()
softmax: torch.sparse.softmax(coo, 1).coalesce().values()
log_softmax: torch.sparse.log_softmax(coo, 1).coalesce().values()
sum of two: (coo + twice).coalesce().values()
sampled_addmm: torch.sparse.sampled_addmm(csr, dense, dense.T).values()
BSR: blocks @ dense[:2048]
Embedding, sparse gradient: \
slope(lambda x: torch.nn.functional.embedding(places, x, sparse=True), table).to_dense()
cumsum, backward: slope(lambda x: x.cumsum(0), numbers)
cumprod, backward: slope(lambda x: x.cumprod(0), 1 + numbers / 1e5)
cumprod, rows, backward: slope(lambda x: x.cumprod(1), 1 + rows_of / 1e5)
logcumsumexp, backward: slope(lambda x: x.logcumsumexp(0), numbers)
logcumsumexp, rows, backward: slope(lambda x: x.logcumsumexp(1), rows_of)
cummax, backward: slope(lambda x: x.cummax(0).values, numbers)
cummax, rows, backward: slope(lambda x: x.cummax(1).values, rows_of)"""
RUNS = 20

# %%
# How many runs give other bits than the first? An error is noted by how it begins.


def varied(make, *given):
    try:
        call = make(*given)
        first = call()
        return str(sum(not all(map(torch.equal, first, call())) for _ in range(RUNS)))
    except RuntimeError as raised:
        said = str(raised).partition("\n")[0]
        return "raises " + said.partition(" does not have")[0][:80]


def row_of(name, *given):
    row = {"call": name}
    for mode, column in {False: "others", True: "switched"}.items():
        torch.use_deterministic_algorithms(mode)
        row[column] = varied(*given)
    print(row)
    return row


rows = []
for name, text in (line.split(": ", 1) for line in CALLS.splitlines()):
    rows.append(row_of(name, eval, f"lambda: [{text}]"))
measured = {"runs": RUNS, "calls": len(rows), "by_call": {"table": rows}}
for column in "others", "switched":
    differ = [row["call"] for row in rows if row[column].strip("0").isdecimal()]
    raised = [row["call"] for row in rows if "raises" in row[column]]
    measured |= {f"{column}_differ": len(differ), f"{column}_raise": len(raised)}
    measured[f"{column}_names"] = "; ".join(differ) or "none"
