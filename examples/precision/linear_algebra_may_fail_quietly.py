"""
Linear algebra may fail quietly
===============================

What does ``torch.linalg`` do with matrices that are infinite, NaN or nearly singular? Some
functions raise an error, others return NaN, and a solution may be finite and wrong. Check the
input, and compute in FP64.
"""

# %%
# A nearly singular system whose solution is all ones.

# sphinx_gallery_quiet = "nothing"
import torch

rows = torch.arange(1, 9, device="cuda", dtype=torch.float64)
hilbert = 1 / (rows[:, None] + rows - 1)
right_side = hilbert.sum(dim=1)

for dtype in (torch.float32, torch.float64):
    solution = torch.linalg.solve(hilbert.to(dtype), right_side.to(dtype))
    print(dtype, f"largest error {(solution - 1).abs().max().item():.2g}")

# %%
# The error as the matrix grows, and its condition number, which says how many digits are lost.


def solve(size):
    rows = torch.arange(1, size + 1, device="cuda", dtype=torch.float64)
    matrix = 1 / (rows[:, None] + rows - 1)
    found = {"size": size, "condition": torch.linalg.cond(matrix).item()}
    for name, dtype in (("fp32", torch.float32), ("fp64", torch.float64)):
        solution = torch.linalg.solve(matrix.to(dtype), matrix.sum(dim=1).to(dtype))
        found[f"{name}_error"] = (solution - 1).abs().max().item()
    print(found)
    return found


by_size = [solve(size) for size in (2, 4, 6, 8)]

# %%
# PyTorch's notes warn that a matrix with NaN may even end the program: a program of its own
# tries each function, and writes down what came of it. At last, how many elements of the
# matrix are bad, and how many elements of the solution are 1, as with the identity?

import json
import subprocess
import sys

PROGRAM = """
import json, torch
bad = torch.eye(64, device="cuda")
bad[3, 5] = bad[5, 3] = float("VALUE")
calls = {
    "solve": lambda: torch.linalg.solve(bad, torch.ones(64, device="cuda")),
    "inv": lambda: torch.linalg.inv(bad),
    "det": lambda: torch.linalg.det(bad),
    "cholesky": lambda: torch.linalg.cholesky(bad),
    "qr": lambda: torch.linalg.qr(bad)[1],
    "svdvals": lambda: torch.linalg.svdvals(bad),
    "eigvalsh": lambda: torch.linalg.eigvalsh(bad),
    "matrix_norm": lambda: torch.linalg.matrix_norm(bad),
}
for name, call in calls.items():
    try:
        finite = call().isfinite().all().item()
        outcome = "finite" if finite else "not finite"
    except Exception as error:
        outcome = "raises"
    print(json.dumps({"function": name, "outcome": outcome}), flush=True)
solution, nan = calls["solve"](), (~bad.isfinite()).sum().item()
print(json.dumps({"bad": nan, "ones": (solution == 1).sum().item()}))
print("solution:", solution[2:7].tolist())
"""


def outcomes(value):
    command = [sys.executable, "-c", PROGRAM.replace("VALUE", value)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [line for line in ended.stdout.splitlines() if line.startswith("{")]
    found = [json.loads(line) for line in lines]
    print(ended.stdout.splitlines()[-1])
    return *found, ended.returncode == 0


*with_nan, solved_nan, survived = outcomes("nan")
*with_inf, solved_inf, survived_inf = outcomes("inf")
table = [a | {"with_inf": b["outcome"]} for a, b in zip(with_nan, with_inf)]
for row in table:
    print(row)

# %%
# Of the functions, how many raised an error, and how many returned finite numbers?

words = [row[name] for row in table for name in ("outcome", "with_inf")]
measured = {
    "by_size": {"table": by_size},
    "functions": {"table": table},
    "survived": survived and survived_inf,
    "bad_numbers": solved_nan["bad"],
    "ones_with_nan": solved_nan["ones"],
    "ones_with_inf": solved_inf["ones"],
    "cases": len(words),
    "raised": words.count("raises"),
    "finite": words.count("finite"),
}
