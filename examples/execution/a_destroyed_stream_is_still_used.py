"""
A destroyed stream is still used
================================

How long must a foreign stream live? Longer than its wrapper: the memory of a tensor that was
marked for the stream, and backward of what ran in it, use the stream's address later.
"""

# sphinx_gallery_evidence = {"processes": 1}
import subprocess
import sys

# %%
# The driver makes a stream, as a library would, and all work in it is done when the wrapper goes.
# The program destroys the stream, or keeps it.

PROGRAM = """
import ctypes, sys, torch

torch.cuda.init()
x = torch.ones(2**22, device="cuda")
weight = torch.ones(2**22, device="cuda", requires_grad=True)
driver, address = ctypes.CDLL("libcuda.so.1"), ctypes.c_void_p()
assert driver.cuStreamCreate(ctypes.byref(address), 1) == 0
foreign = torch.cuda.ExternalStream(address.value)
foreign.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(foreign):
    total, loss = x.sum(), (weight * 3).sum()
torch.cuda.synchronize()
"""

LATER = {
    "marked": ("x.record_stream(foreign)", "del x\ntorch.cuda.empty_cache()"),
    "backward": ("", "loss.backward()"),
    "neither": ("", ""),
}
ENDS = {"kept": "", "destroyed": "assert driver.cuStreamDestroy_v2(address) == 0"}


def start(case, end):
    before, after = LATER[case]
    parts = PROGRAM, before, "del foreign", ENDS[end], after, "torch.cuda.synchronize()"
    command = [sys.executable, "-c", "\n".join([*parts, "print('well')"])]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, text=True, **pipes)


# %%
# Which programs end well?


def ends_well(process):
    output, errors = process.communicate(timeout=50)
    print(process.returncode, output.strip(), *errors.strip().splitlines()[-1:])
    return process.returncode == 0 and output.strip() == "well"


running = {case: {end: start(case, end) for end in ENDS} for case in LATER}
table = []
for case, both in running.items():
    ends = {end: ends_well(process) for end, process in both.items()}
    table.append({"case": case, **ends})
    print(table[-1])

measured = {"by_case": {"table": table}}
