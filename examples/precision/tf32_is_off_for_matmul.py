"""
TF32 is off for matmul
======================

Is TF32 on by default? Not for matmuls: they run in full FP32. For cuDNN, that is, for
convolutions and recurrent layers, it is on. Two environment variables change this before
a program starts, one of them without showing in any flag.
"""

# sphinx_gallery_quiet = "nothing"
import json
import os
import subprocess
import sys

# %%
# Read the defaults in fresh interpreters, without the two variables. All interpreters
# start at once, because each has to load torch.

TORCH_VARIABLE, NVIDIA_VARIABLE = (
    "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE",
    "NVIDIA_TF32_OVERRIDE",
)
hidden = (TORCH_VARIABLE, NVIDIA_VARIABLE)
unset = {name: text for name, text in os.environ.items() if name not in hidden}


def start(program, **variables):
    command, environment = [sys.executable, "-c", program], {**unset, **variables}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE)


def answer(process):
    return json.loads(process.communicate()[0])


# %%
# The first program only reads: the two old flags, and the settings that have backed them
# since PyTorch 2.9, a precision for each kind of operator.

READ = """
print(json.dumps({
    "matmul_allow_tf32": torch.backends.cuda.matmul.allow_tf32,
    "cudnn_allow_tf32": torch.backends.cudnn.allow_tf32,
    "matmul_precision": torch.get_float32_matmul_precision(),
    "matmul_setting": torch.backends.cuda.matmul.fp32_precision,
    "conv_setting": torch.backends.cudnn.conv.fp32_precision,
    "rnn_setting": torch.backends.cudnn.rnn.fp32_precision,
}))
"""
LOAD = "import json, os, torch\n"
LATE = f"os.environ['{TORCH_VARIABLE}'] = '1'\n"

# %%
# The second program asks the GPU itself: does setting the flag change a matmul?

PRODUCT = """
a = torch.rand(1024, 1024, device="cuda")
before = a @ a
torch.backends.cuda.matmul.allow_tf32 = True
print(json.dumps({
    "supported": torch.cuda.is_tf32_supported(),
    "flag": torch.backends.cuda.matmul.allow_tf32,
    "changes": not torch.equal(before, a @ a),
}))
"""

# %%
# Each program runs unchanged, and with a variable set before or after loading torch.

started = {
    "default": start(LOAD + READ),
    "variable set": start(LOAD + READ, **{TORCH_VARIABLE: "1"}),
    "variable set after import": start(LOAD + LATE + READ),
    "product": start(LOAD + PRODUCT),
    "product, vetoed": start(LOAD + PRODUCT, **{NVIDIA_VARIABLE: "0"}),
}
told = {name: answer(process) for name, process in started.items()}
for name, found in told.items():
    print(f"{name}: {found}")

# %%
# NVIDIA's variable is a veto: the flag says that TF32 is on, but the matmul is in FP32.

default, override, late, product, vetoed = told.values()
measured = {
    **default,
    "override_matmul_allow_tf32": override["matmul_allow_tf32"],
    "override_matmul_setting": override["matmul_setting"],
    "late_matmul_allow_tf32": late["matmul_allow_tf32"],
    "supported": product["supported"],
    "product_changes": product["changes"],
    "vetoed_flag": vetoed["flag"],
    "vetoed_product_changes": vetoed["changes"],
}
