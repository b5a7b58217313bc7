"""
A forked process cannot use CUDA
================================

Which calls make CUDA unusable in a forked process? All that initialise the driver before the
fork, even ``torch.cuda.is_available()``, unless it is told to ask NVML instead.
"""

import json
import subprocess
import sys

# %%
# A program without a GPU in use forks a process for each case. That process makes one call, asks
# the driver whether it is initialised (code 3: it is not), and forks another process, which tries
# to use the GPU.

PROGRAM = """
import ctypes, json, multiprocessing, os
import torch

fork = multiprocessing.get_context("fork")
driver = ctypes.CDLL("libcuda.so.1")

def use_cuda(results):
    available = torch.cuda.is_available()
    try:
        said = f"sum {torch.ones(3, device='cuda').sum().item():g}"
    except Exception as error:
        said = f"{type(error).__name__}: {str(error).splitlines()[0]}"
    results.put({"available_in_child": available, "child": said})

def case(call, results):
    call()
    initialised = driver.cuDeviceGetCount(ctypes.byref(ctypes.c_int())) == 0
    results.put({"driver_initialised": initialised} | answer(20, use_cuda))

def start(function, *arguments):
    results = fork.SimpleQueue()
    process = fork.Process(target=function, args=(*arguments, results))
    process.start()
    return process, results

def end(process, results, seconds):
    process.join(seconds)
    process.kill()  # one that hangs
    return {"child": f"exit code {process.exitcode}"} if results.empty() else results.get()

def answer(seconds, function):
    return end(*start(function), seconds)
"""

# %%
# Calls that a program makes early, in groups. ``is_available`` reads the variable each time.

PROGRAM += """
def ask_nvml():
    os.environ["PYTORCH_NVML_BASED_CUDA_CHECK"] = "1"
    torch.cuda.is_available()

groups = {
    "available": "torch.cuda.is_available torch.accelerator.is_available",
    "asking": "torch.cuda.current_device torch.cuda.get_device_name "
    "torch.cuda.mem_get_info torch.amp.GradScaler",
    "counting": "torch.cuda.device_count torch.accelerator.device_count "
    "torch.accelerator.current_accelerator torch.cuda.memory_allocated",
}
calls = {name: (group, eval(name)) for group in groups for name in groups[group].split()}
calls |= {
    "torch.manual_seed": ("setting", lambda: torch.manual_seed(0)),
    "torch.set_default_device": ("setting", lambda: torch.set_default_device("cuda")),
    "is_available, asking NVML": ("nvml", ask_nvml),
    "a CUDA tensor": ("tensor", lambda: torch.ones(3, device="cuda")),
    "backward on the CPU": (
        "backward", lambda: torch.ones(1, requires_grad=True).sum().backward()),
    "nothing": ("nothing", int),
}
started = {name: start(case, call) for name, (_, call) in calls.items()}
nothing = {"driver_initialised": False, "available_in_child": False}
print(json.dumps([
    {"group": calls[name][0], "call": name} | nothing | end(*s, 30)
    for name, s in started.items()
]))
"""

command = [sys.executable, "-W", "ignore", "-c", PROGRAM]
process = subprocess.run(command, capture_output=True, text=True)
if process.returncode:
    raise RuntimeError(process.stderr[-2000:])
rows = json.loads(process.stdout.splitlines()[-1])
for row in rows:
    row["works"] = row["child"] == "sum 3"
print(*rows, sep="\n")

# %%
# What each forked process reported: the sum, or the error; and how many of each group's calls
# initialised the driver, let the forked process work, or gave it the same error as a tensor.

error = next(row["child"] for row in rows if row["group"] == "tensor")
groups = []
for group in dict.fromkeys(row["group"] for row in rows):
    own = [row for row in rows if row["group"] == group]
    counts = {"group": group, "calls": len(own)}
    counts |= {"initialised": sum(row["driver_initialised"] for row in own)}
    counts |= {"works": sum(row["works"] for row in own)}
    groups.append(counts | {"same_error": sum(row["child"] == error for row in own)})

measured = {"by_call": {"table": rows}, "groups": {"table": groups}}
