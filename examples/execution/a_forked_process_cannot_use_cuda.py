"""
A forked process cannot use CUDA
================================

Which calls make CUDA unusable in a forked process? Every call that initialises the driver before
the fork does, even ``torch.cuda.is_available()``, unless you tell it to ask NVML instead.
"""

# sphinx_gallery_quiet = "nothing"
import json
import subprocess
import sys

# %%
# A program that does not use a GPU forks one process per case. That process makes one call, asks
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
# A program makes such calls early: questions about the GPU, settings, and work on the CPU.
# ``is_available`` reads the variable each time.

PROGRAM += """
def ask_nvml():
    os.environ["PYTORCH_NVML_BASED_CUDA_CHECK"] = "1"
    torch.cuda.is_available()

calls = {
    "nothing": int,
    "is_available": torch.cuda.is_available,
    "is_available, NVML": ask_nvml,
    "accelerator.is_available": torch.accelerator.is_available,
    "accelerator.current_accelerator": torch.accelerator.current_accelerator,
    "device_count": torch.cuda.device_count,
    "accelerator.device_count": torch.accelerator.device_count,
    "current_device": torch.cuda.current_device,
    "get_device_name": torch.cuda.get_device_name,
    "mem_get_info": torch.cuda.mem_get_info,
    "memory_allocated": torch.cuda.memory_allocated,
    "manual_seed": lambda: torch.manual_seed(0),
    "set_default_device": lambda: torch.set_default_device("cuda"),
    "set_float32_matmul_precision": lambda: torch.set_float32_matmul_precision("high"),
    "set_device": lambda: torch.cuda.set_device(0),
    "accelerator.set_device_index": lambda: torch.accelerator.set_device_index(0),
    "set_per_process_memory_fraction": lambda: torch.cuda.set_per_process_memory_fraction(0.5),
    "set_sync_debug_mode": lambda: torch.cuda.set_sync_debug_mode("warn"),
    "GradScaler": torch.amp.GradScaler,
    "backward on the CPU": lambda: torch.ones(1, requires_grad=True).sum().backward(),
    "a tensor": lambda: torch.ones(3, device="cuda"),
}
nothing = {"driver_initialised": False, "available_in_child": False}
started = {name: start(case, call) for name, call in calls.items()}
print(json.dumps([{"call": name} | nothing | end(*s, 30) for name, s in started.items()]))
"""

command = [sys.executable, "-W", "ignore", "-c", PROGRAM]
process = subprocess.run(command, capture_output=True, text=True)
if process.returncode:
    raise RuntimeError(process.stderr[-2000:])
rows = json.loads(process.stdout.splitlines()[-1])
print(*rows, sep="\n")

# %%
# Each forked process reported the sum or the error.

measured = {"by_call": {"table": rows}}
