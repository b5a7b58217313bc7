"""
A shared expandable segment needs a permission
==============================================

A tensor of an expandable segment is sent to another process, which raises "pidfd_getfd: Operation
not permitted". Why? That process takes a file descriptor of the sender, for which it needs the
permission to trace it. A tensor of an ordinary segment needs none.
"""

# sphinx_gallery_quiet = "nothing"
import json
import os
import subprocess
import sys

# %%
# The reader is what a container may make of it: in one case, it gives up all capabilities before
# it reads.

READER = """
import ctypes, pickle, sys
import torch

torch.cuda.init()
if sys.argv[1] == "forbidden":
    class Header(ctypes.Structure):
        _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]
    nothing = (ctypes.c_uint32 * 6)()
    header = Header(0x20080522, 0)
    assert ctypes.CDLL(None).capset(ctypes.byref(header), nothing) == 0
try:
    x = pickle.loads(bytes.fromhex(sys.stdin.readline()))
    print("arrived" if x.tolist() == [7, 7, 7] else "other numbers", flush=True)
except Exception as error:
    print(type(error).__name__ + ": " + str(error).splitlines()[0], flush=True)
"""

# %%
# The sender forbids others to trace it, where the reader is to be refused. In the last case, it
# turns expandable segments off for the tensor that it shares.

SENDER = """
import ctypes, json, subprocess, sys
from multiprocessing.reduction import ForkingPickler
import torch
import torch.multiprocessing

kind, turned_off = sys.argv[1], sys.argv[2] == "off"
torch.empty(1, device="cuda")
if turned_off:
    torch._C._accelerator_setAllocatorSettings("expandable_segments:False")
x = torch.full((3 * 2**20,), 7, dtype=torch.uint8, device="cuda")[:3]
at = x.data_ptr()
segments = torch.cuda.memory_snapshot()
(segment,) = [s for s in segments if 0 <= at - s["address"] < s["total_size"]]
torch.cuda.synchronize()
payload = bytes(ForkingPickler.dumps(x)).hex()
if kind == "forbidden":
    PR_SET_DUMPABLE = 4
    assert ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0
command = [sys.executable, "-c", READER, kind]
got = subprocess.run(command, input=payload + "\\n", stdout=subprocess.PIPE, text=True)
print("FOUND" + json.dumps([segment["is_expandable"], got.stdout.strip()]), flush=True)
"""

CASES = {
    "default": ("", "allowed", "as it is"),
    "default, forbidden": ("", "forbidden", "as it is"),
    "expandable": ("expandable_segments:True", "allowed", "as it is"),
    "expandable, forbidden": ("expandable_segments:True", "forbidden", "as it is"),
    "turned off, forbidden": ("expandable_segments:True", "forbidden", "off"),
}


def start(options, *arguments):
    environment = os.environ | {"PYTORCH_ALLOC_CONF": options}
    environment.pop("PYTORCH_CUDA_ALLOC_CONF", None)
    program = f"READER = {READER!r}\n{SENDER}"
    command = [sys.executable, "-c", program, *arguments]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, env=environment, **pipes)


running = {case: start(*settings) for case, settings in CASES.items()}
table = []
for case, process in running.items():
    out, problem = process.communicate()
    if "FOUND" not in out:
        raise RuntimeError(problem[-1000:])
    found = json.loads(out.partition("FOUND")[2])
    table.append({"case": case, "expandable": found[0], "reader": found[1]})
    print(table[-1])

# %%
# What the reader said.

measured = {"by_case": {"table": table}}
