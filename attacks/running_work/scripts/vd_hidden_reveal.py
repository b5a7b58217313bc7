"""docs/devices/visible_devices.md: "CUDA reads the variable once per process, at the first call that asks, and ignores later changes." /
"Any question whether there is a GPU freezes the variable".
Attack: the other direction: start with every GPU hidden, ask, then reveal a GPU and use it.
Refuted if a tensor can be made on the GPU after the question had been answered with none."""
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
        os.dup2(sink, 2)
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


every = os.environ.get("CUDA_VISIBLE_DEVICES", "0").split(",")


def attempt(ask):
    def run():
        try:
            said = str(ask())
        except Exception as error:
            said = f"{type(error).__name__}"
        os.environ["CUDA_VISIBLE_DEVICES"] = every[0]
        count = torch.cuda.device_count()
        try:
            works = torch.ones(1, device="cuda").item() == 1
        except Exception as error:
            works = f"{type(error).__name__}: {str(error).splitlines()[0][:80]}"
        return {"said": said, "count": count, "works": works, "available": torch.cuda.is_available()}

    return run


ASK = {
    "is_available": torch.cuda.is_available,
    "accelerator.is_available": torch.accelerator.is_available,
    "init": torch.cuda.init,
    "a tensor": lambda: torch.ones(1, device="cuda"),
    "current_device": torch.cuda.current_device,
    "backward on the CPU": lambda: torch.ones(1, requires_grad=True).sum().backward(),
}
running = {
    (name, value): forked(attempt(ask), CUDA_VISIBLE_DEVICES=value)
    for name, ask in ASK.items()
    for value in ("", "99")
}
thawed = []
for case, pipe in running.items():
    row = result(pipe)
    print(case, row)
    assert "works" in row, row
    if row["works"] is True:
        thawed.append(case)
if thawed:
    print(f"REFUTED: hidden, asked, then revealed: the later value counted after {thawed}")
else:
    print(f"NOT REFUTED: {len(running)} processes asked while the GPUs were hidden, and none could use one revealed later")
