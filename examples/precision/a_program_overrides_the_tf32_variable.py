"""
A program overrides the TF32 variable
=====================================

Can a program turn TF32 off where ``TORCH_ALLOW_TF32_CUBLAS_OVERRIDE`` has turned it on, as some
vendors' containers do? It can: the flag reads false afterwards, and matmuls run in full FP32.
"""

# sphinx_gallery_quiet = "nothing"
import json
import os
import subprocess
import sys

# %%
# The program reads the flag, turns it off, and reads it again. The largest errors of the same
# product, before and after, show whether it ran in TF32.

PROGRAM = """
import json, torch
matmul = torch.backends.cuda.matmul
torch.manual_seed(0)
a = torch.rand(1024, 1024, device="cuda")
truth = a.double() @ a.double()

def error():
    return (a @ a - truth).abs().max().item()

first, first_error = matmul.allow_tf32, error()
matmul.allow_tf32 = False
print(json.dumps({"first": first, "first_error": first_error,
                  "after": matmul.allow_tf32, "after_error": error()}))
"""

# %%
# Fresh interpreters, with the variable and without it. Both start at once, because each has to
# load torch.

NAME = "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE"
unset = {key: text for key, text in os.environ.items() if key != NAME}


def start(**variables):
    command, environment = [sys.executable, "-c", PROGRAM], {**unset, **variables}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE)


started = [start(**{NAME: "1"}), start()]
override, plain = (json.loads(process.communicate()[0]) for process in started)
print(f"with the variable: {override}")
print(f"without it: {plain}")

# %%
# The error in TF32 is far more than ten times that in full FP32.

measured = {
    "on_afterwards": override["after"],
    "in_tf32_at_start": override["first_error"] > 10 * plain["first_error"],
    "in_tf32_afterwards": override["after_error"] > 10 * plain["after_error"],
}
