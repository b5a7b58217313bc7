"""
Some calls need an accelerator
==============================

Which calls stop a program on a machine without a GPU? Calls that use the accelerator raise
an error. Calls that ask whether there is one do not, but one call names a GPU that is not there.
"""

# sphinx_gallery_quiet = "nothing"
import json
import os
import subprocess
import sys

import torch

here = torch.accelerator.current_accelerator()  # what PyTorch was built for
there = torch.accelerator.current_accelerator(check_available=True)
print(f"built for {here}, and found {there}")

# %%
# The calls run in a process that sees the GPU, one after the other. With every GPU hidden, each
# runs in a process of its own, in which no other call has failed before.

GROUPS = {
    "asking": {
        "accelerator_available": "torch.accelerator.is_available()",
        "accelerator_count": "torch.accelerator.device_count()",
        "accelerator": "torch.accelerator.current_accelerator()",
        "accelerator_checked": "torch.accelerator.current_accelerator(True)",
        "cuda_available": "torch.cuda.is_available()",
        "cuda_count": "torch.cuda.device_count()",
    },
    "idle": {
        "cuda_empty_cache": "torch.cuda.empty_cache()",
        "cuda_memory": "torch.cuda.memory_allocated()",
        "cuda_manual_seed": "torch.cuda.manual_seed_all(0)",
        "cuda_no_stream": "torch.cuda.stream(None).__enter__()",
        "device": "torch.device('cuda:0')",
    },
    "using": {
        "accelerator_synchronize": "torch.accelerator.synchronize()",
        "accelerator_index": "torch.accelerator.current_device_index()",
        "accelerator_stream": "torch.accelerator.current_stream()",
        "cuda_synchronize": "torch.cuda.synchronize()",
        "cuda_current_device": "torch.cuda.current_device()",
        "cuda_set_device": "torch.cuda.set_device(0)",
        "cuda_context": "torch.cuda.device(0).__enter__()",
        "cuda_stream": "torch.cuda.Stream()",
        "tensor": "torch.ones(1, device='cuda')",
        "to": "torch.ones(1).to(torch.device('cuda:0'))",
        "pin_memory": "torch.ones(1).pin_memory()",
        "generator": "torch.Generator('cuda')",
    },
    "softened": {
        "autocast": "torch.autocast('cuda').__enter__().__exit__(None, None, None)",
        "scaler": "torch.amp.GradScaler('cuda')",
        "loader": "next(iter(torch.utils.data.DataLoader([0], pin_memory=True)))",
    },
    "found": {
        "to_found": "torch.ones(1).to(torch.accelerator.current_accelerator(True) or 'cpu')"
    },
}
CALLS = {name: code for group in GROUPS.values() for name, code in group.items()}
PROGRAM = """
import json, os, sys, warnings
import torch

def outcome(code):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            value = eval(code)
        except Exception as error:
            return f"raises {type(error).__name__}", str(error).partition("\\n")[0]
    says = str(value) if isinstance(value, (bool, int, torch.device, type(None))) else ""
    return "warns" if seen else "runs", says

def alone(code):
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.write(writer, json.dumps(outcome(code)).encode())
        os._exit(0)
    os.wait()
    return json.loads(os.read(reader, 4096))

ask = outcome if torch.cuda.device_count() else alone
print(json.dumps({name: ask(code) for name, code in json.loads(sys.argv[1]).items()}))
"""


# %%
# The table has the value of a call if that is a number, a device or nothing.


def start(**variables):
    command = [sys.executable, "-c", PROGRAM, json.dumps(CALLS)]
    environment = {**os.environ, **variables}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


running = start(), start(CUDA_VISIBLE_DEVICES="")
seen, hidden = (json.loads(process.communicate()[0]) for process in running)
calls, groups = [], []
for name, code in CALLS.items():
    (with_gpu, says), (without, says_without) = seen[name], hidden[name]
    calls.append({"call": name, "with_gpu": with_gpu, "without_gpu": without})
    calls[-1] |= {"says": says, "says_without": says_without}
    print(f"{code}\n    {with_gpu} {says}\n    {without} {says_without}")
for group, names in GROUPS.items():
    row = {"group": group, "calls": len(names)}
    for kind in ("run", "warn", "raise"):
        row[f"{kind}_with"] = sum(seen[name][0].startswith(kind) for name in names)
        row[f"{kind}_without"] = sum(hidden[name][0].startswith(kind) for name in names)
    groups.append(row)

# %%
# The groups count how many calls run, warn and raise, with a GPU and without.

measured = {"calls": {"table": calls}, "groups": {"table": groups}}
