"""docs/execution/late_errors.md: "By default, it names the first line that waits." / "`item()` is the first call that hears of it."
Attack: no held stream and a host that does something else for half a second (or nothing) before the next line, which launches and does not wait.
Refuted if the error comes from a line that only launches, not from the first that waits."""
import json
import os
import time

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


def attempt(pause):
    def run():
        table, bad = torch.rand(4, 2, device="cuda"), torch.tensor([0, 9], device="cuda")
        good, empty = torch.tensor([0, 1], device="cuda"), torch.cuda.Event()
        (table[good] * 2).sum().item()
        empty.record()
        torch.cuda.synchronize()
        line = "lookup"
        try:
            _ = table[bad]
            time.sleep(pause)
            line = "table * 2 (launches)"
            doubled = table * 2
            line = "doubled.sum() (launches)"
            total = doubled.sum()
            line = "event.record() (launches)"
            empty.record()
            line = "total.item() (waits)"
            total.item()
            line = "none"
        except Exception as error:
            return {"line": line, "said": str(error).splitlines()[0]}
        return {"line": line}

    return run


rows = {pause: result(forked(attempt(pause))) for pause in (0.0, 0.5)}
rows["0.5 again"] = result(forked(attempt(0.5)))
for pause, row in rows.items():
    print(f"pause {pause}: {row}")
assert all("line" in row for row in rows.values()), rows
early = {str(p): row["line"] for p, row in rows.items() if "(waits)" not in row["line"] and row["line"] != "none"}
print(f"REFUTED: the error came from a line that does not wait: {early}" if early else "NOT REFUTED: with and without a pause, the line that waits raised")
