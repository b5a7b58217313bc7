"""
A spawned process uses the GPU
==============================

How do several processes use one GPU? Start them with ``spawn``: each is a new interpreter, which
may use the GPU whether or not its parent has used the GPU. The new process knows none of its
parent's settings, and imports the program's main file again.
"""

# sphinx_gallery_evidence = {"timeout": 60}
# sphinx_gallery_quiet = "nothing"
from multiprocessing import get_context

import torch

if __name__ == "__main__":  # each new process imports this file
    print(torch.ones(3, device="cuda").sum().item())  # CUDA is in use
    with get_context("spawn").Pool(1) as pool:
        name = pool.apply(torch.cuda.get_device_name)
    print(name)

# %%
# A new process does not have the settings of the first one, and it cannot receive anything that
# has no importable name.

if __name__ == "__main__":
    torch.set_float32_matmul_precision("high")
    torch.manual_seed(7)
    with get_context("spawn").Pool(1) as pool:
        precision = pool.apply(torch.get_float32_matmul_precision)
        seed = pool.apply(torch.initial_seed)
        try:
            refused = pool.apply(lambda: 3)
        except Exception as error:
            refused = type(error).__name__
    print(f"precision {precision!r}, seed {seed}, lambda {refused}")

# %%
# This program is in its own file, with and without the guard. Each process writes a line when it
# begins: without the guard, the new process reaches the same statement as the first.

import subprocess
import sys
from pathlib import Path

PROGRAM = """
from multiprocessing import get_context

print(__name__, flush=True)
if GUARD:
    process = get_context("spawn").Process(target=print, args=("works",))
    process.start()
    process.join()
"""


def said(guard):
    Path("program.py").write_text(PROGRAM.replace("GUARD", guard))
    command = [sys.executable, "program.py"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30)
    error = "attempt has been made to start a new process before" in done.stderr
    return {"said": " ".join(done.stdout.split()), "start_refused": error}


if __name__ == "__main__":
    guards = {"with": '__name__ == "__main__"', "without": "True"}
    rows = [{"guard": guard, **said(text)} for guard, text in guards.items()]
    print(*rows, sep="\n")

# %%
# Did the first process name the GPU, which settings did the second process have, and how did the
# program end?

if __name__ == "__main__":
    measured = {
        "named": name == torch.cuda.get_device_name(),
        "precision_here": torch.get_float32_matmul_precision(),
        "precision_there": precision,
        "seed_is_the_same": seed == torch.initial_seed(),
        "lambda_refused": refused,
        "by_guard": {"table": rows},
    }
