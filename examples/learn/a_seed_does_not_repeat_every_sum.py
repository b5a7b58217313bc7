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
# The same training as a function, which gives all its weights: with a seed or without one, and with
# the table or without it.

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
    return torch.cat([w.detach().flatten() for w in (*model.parameters(), table)])


# %%
# Several runs of each kind, and how many different sets of weights come out of them.

RUNS, rows = 8, []
KINDS = {
    "no seed": (None, False, False),
    "seed": (0, False, False),
    "seed, sums by part": (0, True, False),
    "seed, sums by part, deterministic mode": (0, True, True),
}
for kind, (seed, with_parts, is_deterministic) in KINDS.items():
    torch.use_deterministic_algorithms(is_deterministic)
    runs = [train(seed, with_parts) for _ in range(RUNS)]
    same = sum(torch.equal(run, runs[0]) for run in runs)
    apart = max((run - runs[0]).abs().max().item() for run in runs)
    values = {"all_same": same == RUNS, "difference": {"samples": [apart]}}
    rows.append({"kind": kind} | values)
    print(f"{kind}: {same} of {RUNS} runs as the first, and {apart:.1e} apart at most")
torch.use_deterministic_algorithms(False)
if device == "cpu":
    print("no GPU here: a CPU may add in the same order each time")
measured = {"runs": RUNS, "by_kind": {"table": rows}}
