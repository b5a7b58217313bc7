"""docs/execution/late_errors.md: "Run the program again with CUDA_LAUNCH_BLOCKING=1: the traceback then ends at the culprit."
Attack: the index is out of range in the replay of a CUDA graph, and in the backward pass of an in-range forward (gradient of a look-up whose
index is overwritten), both with CUDA_LAUNCH_BLOCKING=1.
Refuted if the traceback ends at the replay or at backward(), and not at the line with the look-up."""
import json
import os
import traceback

import torch

def forked(function, **environment):
    """The result of function in a forked process with these variables (CUDA is not yet used here)."""
    r, w = os.pipe()
    if os.fork() == 0:
        os.close(r)
        os.environ.update(environment)
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, 1), os.dup2(sink, 2)
        try:
            out = function()
        except BaseException as error:
            out = {"failed": f"{type(error).__name__}: {error}".splitlines()[0][:150]}
        os.write(w, json.dumps(out).encode())
        os._exit(0)
    os.close(w)
    return os.fdopen(r)


def result(pipe):
    return json.loads(pipe.read())


def named(run):
    try:
        run()
    except Exception as error:
        frames = [f for f in traceback.extract_tb(error.__traceback__) if os.path.basename(f.filename) == os.path.basename(__file__)]
        return {"line": frames[-1].line, "said": str(error).splitlines()[0][:80]}
    return {"line": "none"}


def graph():
    table, index = torch.rand(4, 2, device="cuda"), torch.tensor([0, 1], device="cuda")
    bad, out = torch.tensor([0, 9], device="cuda"), {}

    def look_up():
        out["row"] = table[index]

    look_up()
    torch.cuda.synchronize()
    g = torch.cuda.CUDAGraph()
    with torch.cuda.graph(g):
        look_up()

    def run():
        index.copy_(bad)
        g.replay()
        larger = out["row"] + 1
        return larger.sum().item()

    return named(run)


def backward():
    table, index = torch.rand(4, 2, device="cuda", requires_grad=True), torch.tensor([[0, 1]], device="cuda")

    def run():
        rows = table.gather(0, index)
        index.data.fill_(9)
        loss = rows.sum()
        loss.backward()
        return table.grad.sum().item()

    return named(run)


def plain():
    table, index = torch.rand(4, 2, device="cuda"), torch.tensor([0, 9], device="cuda")

    def run():
        row = table[index]
        return (row + 1).sum().item()

    return named(run)


running = {name: forked(run, CUDA_LAUNCH_BLOCKING="1") for name, run in {"plain": plain, "graph": graph, "backward": backward}.items()}
rows = {name: result(pipe) for name, pipe in running.items()}
print(rows)
assert rows["plain"].get("line", "").startswith("row = table[index]"), "the control did not show launch blocking"
innocent = {name: row["line"] for name, row in rows.items() if row.get("line", "none") != "none" and "table[index]" not in row["line"] and "gather" not in row["line"]}
print(f"REFUTED: with launch blocking, the traceback ends at {innocent}" if innocent else "NOT REFUTED: graph and backward either named the look-up or raised nothing")
