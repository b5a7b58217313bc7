"""
A graph does not keep its input
===============================

What if the input of a CUDA graph is deleted, or is larger than a batch? A graph knows addresses:
it reads what another tensor has put there, and the rows that an earlier batch has left.
"""

# sphinx_gallery_quiet = "nothing"
import torch

# %%
# The capture stands in a function that returns the graph and its output. Nothing keeps the input,
# so that the next tensor of its size gets its memory.

SIZE, TRIES = 2**20, 10
torch.ones(SIZE, device="cuda") + 1  # loads the kernels


def capture(is_kept):
    x = torch.ones(SIZE, device="cuda")
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = x + 1
    return (graph, y, x) if is_kept else (graph, y)


cases = []
for is_kept in (False, True):
    found = {"input": "kept" if is_kept else "deleted", "right": 0, "of_another": 0}
    for _ in range(TRIES):
        graph, y, *kept = capture(is_kept)
        other = torch.full((SIZE,), 7.0, device="cuda")
        graph.replay()
        found["right"] += (y == 2).all().item()
        found["of_another"] += (y == 8).all().item()
    cases.append(found)
print(*cases, sep="\n")

# %%
# The graph takes the mean of each row. Batches are shorter than the input that was captured.

ROWS, SHORT = 16, 10
static_input = torch.zeros(ROWS, 64, device="cuda")
static_input.mean(1)
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    means = static_input.mean(1)

short = {"right": 0, "left": 0, "padded": 0}
for number in range(1, TRIES + 1):
    earlier, batch = (
        torch.full((rows, 64), float(number * sign), device="cuda")
        for rows, sign in ((ROWS, 1), (SHORT, -1))
    )
    static_input.copy_(earlier)
    static_input[:SHORT].copy_(batch)
    graph.replay()
    short["right"] += (means[:SHORT] == -number).all().item()
    short["left"] += (means[SHORT:] == number).all().item()
    static_input.zero_()[:SHORT].copy_(batch)
    graph.replay()
    short["padded"] += (means[SHORT:] == 0).all().item()
print(short)

# %%
# A batch of a single row fits, because ``copy_`` repeats it. Other numbers of rows do not fit.

static_input.copy_(torch.full((1, 64), 5.0, device="cuda"))
graph.replay()
repeated = (means == 5).sum().item()
try:
    static_input.copy_(torch.zeros(SHORT, 64, device="cuda"))
    error = "none"
except RuntimeError as raised:
    error = raised
print(f"{repeated} rows from one; {error}")

# %%
# It repeats whatever can be broadcast to the input: a column, a row without its first dimension, a
# number. A comparison of the shapes refuses them all.

SHAPES = {"column": (ROWS, 1), "flat row": (64,), "one value": (1,), "number": ()}


def copy_compared(batch):
    if batch.shape != static_input.shape:
        raise ValueError(f"{batch.shape} instead of {static_input.shape}")
    static_input.copy_(batch)


def seven_rows(way, shape):
    static_input.zero_()
    try:
        way(torch.full(shape, 7.0, device="cuda"))
    except ValueError:
        return "refused"
    graph.replay()
    return str((means == 7).sum().item())


slips = []
for name, shape in SHAPES.items():
    row = {"batch": name, "copied": seven_rows(static_input.copy_, shape)}
    slips.append(row | {"compared": seven_rows(copy_compared, shape)})
whole_batch = seven_rows(copy_compared, (ROWS, 64))
print(*slips, f"whole batch: {whole_batch}", sep="\n")

measured = {
    "tries": TRIES,
    "cases": {"table": cases},
    "rows": ROWS,
    "short_rows": SHORT,
    "short_right": short["right"],
    "short_left": short["left"],
    "short_padded": short["padded"],
    "repeated_rows": repeated,
    "does_not_fit": error,
    "slips": {"table": slips},
    "whole_batch": whole_batch,
}
