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
        results.put([available, f"sum {torch.ones(3, device='cuda').sum().item():g}"])
    except Exception as error:
        results.put([available, f"{type(error).__name__}: {str(error).splitlines()[0]}"])

def case(call, results):
    call()
    initialised = driver.cuDeviceGetCount(ctypes.byref(ctypes.c_int())) == 0
    found = fork.SimpleQueue()
    process = fork.Process(target=use_cuda, args=(found,))
    process.start()
    results.put([initialised, *found.get()])
    process.join()
"""

# %%
# These calls. ``is_available`` reads the variable each time.

PROGRAM += """
def ask_nvml():
    os.environ["PYTORCH_NVML_BASED_CUDA_CHECK"] = "1"
    torch.cuda.is_available()

calls = {
    "nothing": int,
    "is_available": torch.cuda.is_available,
    "is_available, NVML": ask_nvml,
    "accelerator.is_available": torch.accelerator.is_available,
    "device_count": torch.cuda.device_count,
    "manual_seed": lambda: torch.manual_seed(0),
    "get_device_name": torch.cuda.get_device_name,
    "a tensor": lambda: torch.ones(3, device="cuda"),
}
queues = {name: fork.SimpleQueue() for name in calls}
started = [fork.Process(target=case, args=(calls[name], queues[name])) for name in calls]
for process in started:
    process.start()
rows = [[name, *queue.get()] for name, queue in queues.items()]
for process in started:
    process.join()
print(json.dumps(rows))
"""

command = [sys.executable, "-W", "ignore", "-c", PROGRAM]
process = subprocess.run(command, capture_output=True, text=True)
if process.returncode:
    raise RuntimeError(process.stderr[-2000:])
names = "call", "driver_initialised", "available_in_child", "child"
rows = [dict(zip(names, row)) for row in json.loads(process.stdout.splitlines()[-1])]
print(*rows, sep="\n")

# %%
# What each forked process reported: the sum, or the error.

measured = {"by_call": {"table": rows}}
