"""docs/devices/with_and_without.md: "Questions raise no error." (asking-never-raises)
Attack: other questions of torch.cuda and torch.accelerator, each in a process of its own with every GPU hidden; and the four of the page
with odd values of the variable and in a process forked after CUDA was used, with warnings as errors.
Refuted if a question (a call that only reads) raises or warns."""
import json
import os
import warnings

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


PAGE = ["torch.accelerator.is_available()", "torch.accelerator.device_count()", "torch.cuda.is_available()", "torch.cuda.device_count()"]
MORE = [
    "torch.cuda.get_device_name()", "torch.cuda.get_device_capability()", "torch.cuda.get_device_properties(0)", "torch.cuda.current_device()",
    "torch.cuda.mem_get_info()", "torch.cuda.is_bf16_supported()", "torch.cuda.get_arch_list()", "torch.cuda.memory_allocated()",
    "torch.cuda.memory_stats()", "torch.accelerator.current_device_index()", "torch.accelerator.memory_allocated()", "torch.cuda.current_stream()",
    "torch.cuda.initial_seed()", "torch.cuda.is_initialized()", "torch.cuda.can_device_access_peer(0, 0)",
]


def ask(code):
    def run():
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return {"said": str(eval(code))[:60]}

    return run


running = {(code, repr(value)): forked(ask(code), CUDA_VISIBLE_DEVICES=value) for code in PAGE for value in ("", "-1", "99", "abc", "GPU-0")}
running |= {(code, "''"): forked(ask(code), CUDA_VISIBLE_DEVICES="") for code in MORE}
found = {case: result(pipe) for case, pipe in running.items()}
torch.ones(1, device="cuda")  # now this process has used CUDA
found |= {(code, "forked after CUDA"): result(forked(ask(code))) for code in PAGE}
raised = {}
for (code, value), row in found.items():
    print(f"{code:45} {value:18} {row}")
    if "failed" in row:
        raised[f"{code} with {value}"] = row["failed"][:60]
print(f"REFUTED: {len(raised)} questions raise or warn: {raised}" if raised else f"NOT REFUTED: {len(found)} questions, none raised")
