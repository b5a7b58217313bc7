"""
Some calls freeze CUDA_VISIBLE_DEVICES
======================================

Why is ``CUDA_VISIBLE_DEVICES`` ignored? CUDA reads it once, at the first call that asks
about GPUs. Many calls ask; ``import torch`` and calls that only count the GPUs do not.
"""

# sphinx_gallery_quiet = "nothing"
import os

visible = os.environ.get("CUDA_VISIBLE_DEVICES", "0").split(",")
os.environ["CUDA_VISIBLE_DEVICES"] = visible[0]  # first of all, such as "0"

import torch

print(torch.cuda.device_count(), torch.ones(2, device="cuda"))

# %%
# Each call below runs in its own process, which then hides all GPUs. If a tensor can
# still be made on the GPU, the call has frozen the variable.

import json
import subprocess
import sys

PROGRAM = """
import json, os, sys
import torch

def try_call(name, code):
    exec(code)
    initialised = torch.cuda.is_initialized()
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    count = torch.cuda.device_count()
    try:
        frozen = torch.ones(1, device="cuda").is_cuda
    except RuntimeError:
        frozen = False
    return {"call": name, "frozen": frozen, "count": count, "initialised": initialised}

for name, code in json.load(sys.stdin).items():
    if os.fork() == 0:
        try:
            os.write(1, json.dumps(try_call(name, code)).encode() + bytes([10]))
        except Exception as error:
            os.write(2, f"{name}: {error!r} ".encode())
        os._exit(0)
for _ in range(int(sys.argv[1])):
    os.wait()
"""

# %%
# The processes are forked from one that has imported PyTorch and has called nothing else.

NVML_BASED = "os.environ['PYTORCH_NVML_BASED_CUDA_CHECK'] = '1'; "
STEP = "p = torch.nn.Parameter(torch.ones(1)); p.grad = torch.ones(1); "
CPU_ALONE = "activities=[torch.profiler.ProfilerActivity.CPU]"
GROUPS = {
    "counting": {
        "nothing": "",
        "is_initialized": "torch.cuda.is_initialized()",
        "device_count": "torch.cuda.device_count()",
        "accelerator_count": "torch.accelerator.device_count()",
        "current_accelerator": "torch.accelerator.current_accelerator()",
        "is_built": "torch.backends.cuda.is_built()",
        "device": "torch.device('cuda:0')",
    },
    "waiting": {
        "manual_seed": "torch.manual_seed(0)",
        "memory_allocated": "torch.cuda.memory_allocated()",
        "empty_cache": "torch.cuda.empty_cache()",
        "set_default_device": "torch.set_default_device('cuda')",
    },
    "asking": {
        "is_available": "torch.cuda.is_available()",
        "accelerator_available": "torch.accelerator.is_available()",
        "is_bf16_supported": "torch.cuda.is_bf16_supported()",
        "autocast": "torch.autocast('cuda').__enter__()",
        "scaler": "torch.amp.GradScaler('cuda')",
    },
    "asking_nvml": {"nvml": NVML_BASED + "torch.cuda.is_available()"},
    "using": {
        "init": "torch.cuda.init()",
        "tensor": "torch.ones(1, device='cuda')",
        "current_device": "torch.cuda.current_device()",
        "set_device": "torch.cuda.set_device(0)",
        "get_device_name": "torch.cuda.get_device_name()",
        "synchronize": "torch.cuda.synchronize()",
        "stream": "torch.cuda.Stream()",
        "generator": "torch.Generator('cuda')",
        "pin_memory": "torch.ones(1).pin_memory()",
    },
    "backward": {"host": "torch.ones(1, requires_grad=True).sum().backward()"},
    "unexpected": {
        "adam": STEP + "torch.optim.Adam([p]).step()",
        "profiler": f"torch.profiler.profile({CPU_ALONE}).start()",
    },
    "formerly": {
        "compiler": "import torch._inductor.compile_fx",
        "get_arch_list": "torch.cuda.get_arch_list()",
    },
}
CALLS = {name: code for group in GROUPS.values() for name, code in group.items()}
command = [sys.executable, "-c", PROGRAM, str(len(CALLS))]
given = {"input": json.dumps(CALLS), "capture_output": True, "text": True}
answer = subprocess.run(command, **given, check=True)
print(answer.stderr[-2000:])
calls = {row["call"]: row for row in map(json.loads, answer.stdout.splitlines())}
groups = []
for group, names in GROUPS.items():
    frozen = [calls[name]["frozen"] for name in names]
    groups.append({"group": group, "calls": len(frozen), "frozen": sum(frozen)})
    print(*(f"{calls[name]['frozen']}: {CALLS[name]}" for name in names), sep="\n")

# %%
# Until CUDA is initialised, ``device_count`` reads the variable itself, also when CUDA would not.

told = [calls[name] for name in ("device_count", "is_available", "init")]
print(*told, sep="\n")
measured = {"groups": {"table": groups}, "told": {"table": told}}
