"""
A seed does not repeat every sum
================================

Do two runs with one seed give the same model? The small model does, bit for bit: no line of its
loop adds in an order that changes. With a learned number for each part of the square, it does not:
many points add to the same number, in any order. Deterministic mode gives these sums an order.
"""

# sphinx_gallery_evidence = {"processes": 1}
import os

os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # older versions ask for it
import torch
from torch import nn

torch.use_deterministic_algorithms(True)
device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
x = (torch.rand(4000, 2) * 2 - 1).to(device)  # all points: one batch, moved once
y = (x.norm(dim=1) > 0.5).long() + (x.norm(dim=1) > 0.9).long()
column, row = ((x + 1) * 2).long().clamp(max=3).T
part = 4 * row + column  # of the square, from 0 to 15
for run in range(2):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 3)).to(device)
    table = torch.zeros(16, 3, device=device, requires_grad=True)
    optimizer = torch.optim.Adam([*model.parameters(), table], lr=0.01)
    for _ in range(20):
        loss = nn.functional.cross_entropy(model(x) + table.index_select(0, part), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"run {run}: loss {loss.item():.9f}")
torch.use_deterministic_algorithms(False)

# %%
# The same training as a function, which gives all its weights and the last loss: with a seed or
# without one, and with the table or without it.

STEPS = 200 if device == "cuda" else 20


def train(seed, with_parts):
    if seed is not None:
        torch.manual_seed(seed)
    model = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 3)).to(device)
    table = torch.zeros(16, 3, device=device, requires_grad=True)
    optimizer = torch.optim.Adam([*model.parameters(), table], lr=0.01)
    for _ in range(STEPS):
        result = model(x)
        if with_parts:
            result = result + table.index_select(0, part)
        loss = nn.functional.cross_entropy(result, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    weights = [w.detach().flatten() for w in (*model.parameters(), table)]
    return torch.cat(weights), loss.item()


# %%
# Several runs of each kind: how many end with the weights of the first, how far apart are weights
# at most, and how far apart are the last losses?

RUNS = 8
KINDS = {
    "no seed": (None, False, False),
    "seed": (0, False, False),
    "seed, sums by part": (0, True, False),
    "seed, sums by part, deterministic mode": (0, True, True),
}


def compared(seed, with_parts, is_deterministic):
    torch.use_deterministic_algorithms(is_deterministic)
    weights, losses = zip(*(train(seed, with_parts) for _ in range(RUNS)))
    torch.use_deterministic_algorithms(False)
    same = sum(torch.equal(run, weights[0]) for run in weights)
    apart = max((run - weights[0]).abs().max().item() for run in weights)
    return same, apart, max(losses) - min(losses)


results = {kind: compared(*how) for kind, how in KINDS.items()}
for kind, (same, apart, spread) in results.items():
    print(f"{kind}: {same} of {RUNS} as the first")
    print(f"    weights {apart:.1e} apart at most, losses {spread:.1e}")
if device == "cpu":
    print("no GPU here: a CPU may add in the same order each time")

# %%
# For the record, what was printed.

rows = []
for kind, (same, apart, spread) in results.items():
    row = {"kind": kind, "all_same": same == RUNS}
    row |= {"difference": {"samples": [apart]}, "loss_spread": {"samples": [spread]}}
    rows.append(row)
measured = {"runs": RUNS, "by_kind": {"table": rows}}
