"""
A missing kernel image names the build
======================================

Does this build of PyTorch have kernels for my GPU? It lists what it was compiled for. Without them,
a first kernel fails, however simple, while copies and memory still work. Here a variable of CUDA
makes the driver ignore the machine code, so that it is as if the build left this GPU out.
"""

# sphinx_gallery_quiet = "nothing"
import torch

major, minor = torch.cuda.get_device_capability()
built = torch.cuda.get_arch_list()
code = [
    int(name[3:]) for name in built if name.startswith("sm_") and name[3:].isdigit()
]
mine = 10 * major + minor
fits = [one for one in code if one // 10 == major and one <= mine]
print(
    f"this GPU is sm_{mine}, the build has {built}: {'fits' if fits else 'does not fit'}"
)

# %%
# Each call by itself, in a program that goes on after an error. Machine code is for one generation
# of GPUs; PTX is compiled by the driver when it is loaded. ``CUDA_FORCE_PTX_JIT`` asks for PTX.

PROGRAM = """
import json
import torch
host, x = torch.ones(64, 64), torch.empty(64, 64, device="cuda")
CALLS = {
    "torch.cuda.is_available()": torch.cuda.is_available,
    "torch.empty(64, device='cuda')": lambda: torch.empty(64, device="cuda"),
    "x.copy_(host)": lambda: x.copy_(host),
    "x.clone()": lambda: x.clone(),
    "x.to('cpu')": lambda: x.to("cpu"),
    "x.zero_()": lambda: x.zero_(),
    "torch.ones(64, device='cuda')": lambda: torch.ones(64, device="cuda"),
    "torch.randn(64, device='cuda')": lambda: torch.randn(64, device="cuda"),
    "x + 1": lambda: x + 1,
    "x.sum()": lambda: x.sum(),
    "x[0, 0].item()": lambda: x[0, 0].item(),
    "x.half()": lambda: x.half(),
    "x @ x": lambda: x @ x,
    "torch.nn.Linear": lambda: torch.nn.Linear(64, 64).cuda()(x),
}
for name, call in CALLS.items():
    kind, message = "none", ""
    try:
        call()
        torch.cuda.synchronize()
    except Exception as error:
        kind, message = type(error).__name__, str(error).strip()
    print(json.dumps([name, kind, message]), flush=True)
"""

# %%
# The errors with the variable, and without it.

import json
import os
import sys
from subprocess import DEVNULL, PIPE, Popen

NEEDLE = "no kernel image is available for execution on the device"


def started(**variables):
    environment = os.environ | variables
    command = [sys.executable, "-c", PROGRAM]
    return Popen(command, env=environment, stdout=PIPE, stderr=DEVNULL)


both = started(), started(CUDA_FORCE_PTX_JIT="1")
usual, forced = (
    [json.loads(line) for line in one.communicate(timeout=60)[0].splitlines()]
    for one in both
)
rows = []
for (call, kind, message), (_, usually, _) in zip(forced, usual):
    row = {"call": call, "usually": usually, "forced": kind}
    rows.append(row | {"names_the_image": NEEDLE in message})
    print(f"{call}: {message.partition(chr(10))[0] or 'works'}")
failed = [row["call"] for row in rows if row["names_the_image"]]
says = next((message for _, _, message in forced if NEEDLE in message), "")
measured = {
    "built_for": " ".join(built),
    "capability": f"sm_{mine}",
    "fits": bool(fits),
    "calls": len(rows),
    "usually_work": sum(row["usually"] == "none" for row in rows),
    "name_the_image": len(failed),
    "says": says.partition("\n")[0],
    "by_call": {"table": rows},
}
