"""
Slow work can time out a collective
===================================

What ends a program whose collective takes too long, and what says so? A thread watches each of
them from the call on, so that slow work ahead of it in the stream counts as well. By default the
thread ends the process. Three variables change that, one of them under two names.
"""

# sphinx_gallery_evidence = {"timeout": 120}
import os
import subprocess
import sys

PROGRAM = """
import os, sys, time
from datetime import timedelta
import torch
import torch.distributed as dist

device = torch.device("cuda", 0)
torch.cuda.set_device(device)
kind = {"store": dist.HashStore(), "rank": 0, "world_size": 1, "device_id": device}
dist.init_process_group("nccl", timeout=timedelta(seconds=LIMIT), **kind)
x, parts = (torch.ones(2**10, device=device) for _ in range(2))
dist.all_gather_into_tensor(parts, x)  # the first collective takes longer
x *= 7  # here: a kernel that is loaded behind the slow one makes the host wait
torch.cuda.synchronize()

torch.cuda._sleep(16_000_000_000)  # slow: about eight seconds
try:
    if "plain" in sys.argv:
        dist.all_gather_into_tensor(parts, x)
    else:
        dist.all_gather_into_tensor(parts, x, async_op=True).wait()
    print("returned", flush=True)
except Exception as error:
    print("raised", type(error).__name__, "timed out" in str(error), flush=True)
torch.cuda.synchronize()
time.sleep(3)  # a program goes on, and the thread with it
print("right" if parts.sum().item() == 7 * 2**10 else "wrong", flush=True)
os._exit(0)
"""

# %%
# Each case is a process of its own. Before it ends the process, the thread leaves time for a dump
# of what the ranks did; here, that is short, in all cases alike.

NO_DUMP = {"TORCH_NCCL_DUMP_ON_TIMEOUT": "0"}
NO_DUMP["TORCH_NCCL_WAIT_TIMEOUT_DUMP_MILSEC"] = "100"
NEW, OLD = "TORCH_NCCL_ASYNC_ERROR_HANDLING", "NCCL_ASYNC_ERROR_HANDLING"
WAIT = {"TORCH_NCCL_BLOCKING_WAIT": "1"}
plain = {k: v for k, v in os.environ.items() if k not in {NEW, OLD, *WAIT}}


def started(variables, *arguments, limit=2):
    program = PROGRAM.replace("LIMIT", str(limit))
    command = [sys.executable, "-c", program, *arguments]
    pipe, given = subprocess.PIPE, plain | NO_DUMP | variables
    return subprocess.Popen(command, env=given, stdout=pipe, stderr=pipe, text=True)


cases = {
    "longer timeout": started({}, limit=60),
    "default": started({}),
    "default, plain call": started({}, "plain"),
    "0": started({NEW: "0"}),
    "1": started({NEW: "1"}),
    "old name, 0": started({OLD: "0"}),
    "old name, 0, under torchrun": started({OLD: "0", NEW: "1"}),
    "blocking wait": started(WAIT),
    "blocking wait, plain call": started(WAIT, "plain"),
}

# %%
# A process that the thread has ended has the exit code of an abort, 6 with a minus.

rows = []
for case, process in cases.items():
    said, errors = process.communicate(timeout=100)
    row = {"case": case, "aborted": process.returncode == -6}
    row["raised"] = said.split("raised ")[1].split()[0] if "raised" in said else "none"
    row["returned"] = "returned" in said
    row["right"] = "right" in said
    row["watchdog_said"] = "Watchdog caught collective operation timeout" in errors
    row["name_deprecated"] = f"{OLD} is deprecated; use {NEW}" in errors
    row["took_down"] = "taking the entire process down" in errors
    rows.append(row)
    print(row)

measured = {"by_case": {"table": rows}}
