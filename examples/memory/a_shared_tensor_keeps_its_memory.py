"""
A shared tensor keeps its memory
================================

Why does a tensor that was sent to another process keep its memory here, although it is deleted?
The reader has it. When the reader has dropped it, the memory serves the next tensor here; if the
reader was killed, or nobody has read it, it stays.
"""

# sphinx_gallery_quiet = "nothing"
import json
import subprocess
import sys

# %%
# The reader makes the tensor from what it gets, drops it when it is told to, and waits.

READER = """
import pickle, sys
import torch

for line in sys.stdin:
    if line.strip() == "drop":
        del x
    else:
        x = pickle.loads(bytes.fromhex(line))
        assert x[0].item() == 7
    print("done", flush=True)
"""

# %%
# The sender pickles a tensor as a queue of ``torch.multiprocessing`` does, deletes it, and looks
# at what is allocated, step by step.

SENDER = """
import json, subprocess, sys
from multiprocessing.reduction import ForkingPickler
import torch
import torch.multiprocessing

MIB = 2**20
found = {}

def tensor():
    return torch.full((64 * MIB,), 7, dtype=torch.uint8, device="cuda")

def note(name):
    found[name + "_bytes"] = torch.cuda.memory_allocated()

def reader():
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-c", READER], **pipes)

def tell(process, line):
    process.stdin.write(line + "\\n")
    process.stdin.flush()
    assert process.stdout.readline() == "done\\n"

def send(process):
    x = tensor()
    torch.cuda.synchronize()
    payload = bytes(ForkingPickler.dumps(x)).hex()
    if process:
        tell(process, payload)

good, killed = reader(), reader()
x = tensor()
del x
note("unshared")
torch.cuda.empty_cache()

send(good)
torch.cuda.empty_cache()
torch.cuda.ipc_collect()
note("read")
tell(good, "drop")
note("dropped")
torch.cuda.ipc_collect()
note("collected")

send(good)
tell(good, "drop")
before = torch.cuda.memory_reserved()
x = tensor()
found["new_reserved_bytes"] = torch.cuda.memory_reserved() - before
del x
torch.cuda.ipc_collect()
note("reused")

send(killed)
killed.kill()
killed.wait()
torch.cuda.ipc_collect()
note("killed")
send(None)
torch.cuda.ipc_collect()
note("unread")
good.stdin.close()
good.wait()
print("FOUND" + json.dumps(found), flush=True)
"""

# %%
# Both run in processes of their own.

program = f"READER = {READER!r}\n{SENDER}"
command = [sys.executable, "-c", program]
ended = subprocess.run(command, capture_output=True, text=True)
if "FOUND" not in ended.stdout:
    raise RuntimeError(ended.stderr[-1000:])
found = json.loads(ended.stdout.partition("FOUND")[2])
for name, value in found.items():
    print(f"{name}: {value / 2**20:.0f} MiB")

# %%
# Exact: what is allocated at each step.

measured = {"tensor_bytes": 64 * 2**20} | found
