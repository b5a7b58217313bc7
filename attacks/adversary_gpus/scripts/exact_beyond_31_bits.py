"""Claim copies-between-gpus-are-exact: the copies compared had at most 8 MiB.

Attack: more than 2**31 elements and bytes: contiguous 5 GiB; gaps and a transposed matrix
(kernel copy, split for 32-bit indices); an odd start. The truth is computed on the target
GPU anew from the positions, not copied.

Refuted if an element differs.
"""
import torch

claim = "copies-between-gpus-are-exact"
ROWS, COLS = 2**16 + 1, 40_000  # 2.6 G bytes


def make(device, rows, cols):
    out = torch.empty(rows, cols, dtype=torch.uint8, device=device)
    column = torch.arange(cols, device=device, dtype=torch.int32)
    for start in range(0, rows, 2048):
        row = torch.arange(start, min(start + 2048, rows), device=device, dtype=torch.int32)
        out[start : start + 2048] = ((row[:, None] * 7919 + column * 104729) >> 5).to(torch.uint8)
    return out


bad = []
for src, dst in (("cuda:0", "cuda:1"), ("cuda:1", "cuda:0")):
    x, truth = make(src, ROWS, COLS), make(dst, ROWS, COLS)
    for name, view in {"contiguous": lambda t: t, "odd start": lambda t: t.view(-1)[1:], "transposed": lambda t: t.T,
                       "all but a column": lambda t: t[:, :-1]}.items():
        target = torch.empty(view(truth).shape, dtype=torch.uint8, device=dst).copy_(view(x))
        same = torch.equal(target, view(truth))
        print(f"attack: {claim}: {name}, {target.numel()} elements, {src}->{dst}: equal {same}")
        if not same:
            bad.append(f"{name}/{src}")
        del target
    del x, truth
    torch.cuda.empty_cache()
word = "REFUTED" if bad else "NOT REFUTED"
print(f"verdict: {word} {claim} {bad}")
