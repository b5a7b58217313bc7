"""wrong_bytes.md, line 476.
Sentence: PyTorch has a sanitizer for streams, a prototype: `TORCH_CUDA_SANITIZER=1` in the environment, set before Python starts.
Attack: Set by os.environ in the program, after Python has started and before torch is imported.
Expect: Refuted: torch/__init__.py looks into os.environ at import ("if 'TORCH_CUDA_SANITIZER' in os.environ").
Refuted if: the program that sets the variable itself ends with CUDASanitizerErrors
"""
import json, time
import torch

SENTENCE = 'PyTorch has a sanitizer for streams, a prototype: `TORCH_CUDA_SANITIZER=1` in the environment, set before Python starts.'


def show(**row):
    print(json.dumps(row, default=str), flush=True)

import os
import subprocess
import sys

PROGRAM = """
import os
os.environ["TORCH_CUDA_SANITIZER"] = "1"
import torch
x = torch.ones(1000, device="cuda")
with torch.cuda.stream(torch.cuda.Stream()):
    x.sum()
"""


def main():
    environment = {k: v for k, v in os.environ.items() if k != "TORCH_CUDA_SANITIZER"}
    program = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=60)
    lines = program.stderr.splitlines() or ["nothing"]
    return "CUDASanitizerErrors" in lines[-1], {"last_line": lines[-1]}


try:
    refuted, numbers = main()
except Exception as error:
    import traceback
    traceback.print_exc()
    refuted, numbers = False, {"error": repr(error)[:300]}
print(json.dumps({"verdict": "refuted" if refuted else "not refuted", "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
