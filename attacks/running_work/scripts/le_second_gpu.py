"""docs/execution/late_errors.md: "Catching the exception is therefore of no use: save your work before it can happen, and restart the process." / "the GPU is lost to this one".
Attack: with two GPUs, after a device-side assert on cuda:0 that was caught: compute and read on cuda:1, used before or not; read cuda:0 again; start a spawned child.
Refuted if the process still computes and reads on the other GPU after it caught the exception (catching is of use, then)."""
import json
import os

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


def attempt(before):
    def run():
        table = torch.rand(4, 2, device="cuda:0")
        y = torch.arange(10.0, device="cuda:1") if before else None
        said = {}
        try:
            table[torch.tensor([0, 9], device="cuda:0")].sum().item()
        except Exception as error:
            said["caught"] = str(error).splitlines()[0][:60]
        for name, call in {
            "first GPU": lambda: (table + 1).sum().item(),
            "second GPU, old tensor": lambda: (y * 2).sum().item() if before else None,
            "second GPU, new tensor": lambda: torch.arange(10.0, device="cuda:1").sum().item(),
            "second GPU, within device(1)": lambda: in_second(),
            "second GPU, old tensor to the host": lambda: y.cpu().sum().item() if before else None,
        }.items():
            try:
                said[name] = call()
            except Exception as error:
                said[name] = f"{type(error).__name__}: {str(error).splitlines()[0][:60]}"
        return said

    return run


def in_second():
    with torch.cuda.device(1):
        return (torch.ones(4, 4, device="cuda") @ torch.ones(4, 4, device="cuda")).sum().item()


assert torch._C._cuda_getDeviceCount is not None
running = {before: forked(attempt(before)) for before in (True, False)}
rows = {before: result(pipe) for before, pipe in running.items()}
for before, row in rows.items():
    print("second GPU used before:", before, row)
assert all("device-side assert" in row.get("caught", "") for row in rows.values()), rows
works = [f"{name} (used before: {before})" for before, row in rows.items() for name, said in row.items() if isinstance(said, float)]
print(f"REFUTED: after the assert was caught, the process could still use {works}" if works else "NOT REFUTED: neither GPU could be used after the assert on the first")
