"""
Gloo says which rank is missing
===============================

What happens to the others when a rank dies, or never makes a call? With gloo, the next collective
raises an error: at once if the rank is dead, otherwise after the timeout. ``monitored_barrier``
names the rank, and ``torchrun`` ends all ranks as soon as one has failed.
"""

# sphinx_gallery_evidence = {"timeout": 120}
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# %%
# This program runs once for each rank. The second rank does what the case says; the first one
# waits for it, and tells what it was told. The tensors are on the CPU, so that no GPU is needed.

PROGRAM = """
import os, sys, time
from datetime import timedelta
import torch
import torch.distributed as dist
case, rank = sys.argv[1], int(os.environ["RANK"])
dist.init_process_group("gloo", timeout=timedelta(seconds=5))
x = torch.ones(4)
dist.all_reduce(x)
print("ready", flush=True)

if rank == 1 and case == "dies":
    os._exit(3)
if rank == 1 and case == "fails under torchrun":
    raise ValueError("something else")
if rank == 0 and case == "fails under torchrun":
    time.sleep(100)  # busy with something that is no collective
if rank == 1 and case.startswith("skips"):
    time.sleep(12)
    sys.exit()

begin = time.perf_counter()
try:
    if "barrier" in case:
        patience = None if "its own" in case else timedelta(seconds=5)
        dist.monitored_barrier(timeout=patience)
    elif case.startswith("calls another") and rank == 1:
        dist.broadcast(x, 0)
    else:
        dist.all_reduce(x)
    said = "none"
except Exception as error:
    said = f"{type(error).__name__}: {error}".splitlines()[0]
print(f"{time.perf_counter() - begin:.3f}|{said}", flush=True)
os._exit(0)
"""
program = Path(tempfile.mkdtemp(), "program.py")
program.write_text(PROGRAM)


def started(command, case, **variables):
    command = [sys.executable, *command, str(program), case]
    pipe, given = subprocess.PIPE, os.environ | variables
    return subprocess.Popen(command, env=given, stdout=pipe, stderr=pipe, text=True)


def pair(case, port, **variables):
    shared = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "WORLD_SIZE": "2"}
    return [started([], case, **shared, **variables, RANK=rank) for rank in "01"]


# %%
# These cases run without a launcher, all at the same time. Of the message, the part that varies is
# left out, such as the number of a port.

FIRST_PORT = 20000 + os.getpid() % 1000 * 8
DETAIL = {"TORCH_DISTRIBUTED_DEBUG": "DETAIL"}
CASES = {"dies": {}, "skips": {}, "skips a barrier": {}}
CASES["skips a barrier with its own timeout"] = {}
CASES |= {"calls another": {}, "calls another, detail": DETAIL}
pairs = {
    case: pair(case, FIRST_PORT + i, **CASES[case]) for i, case in enumerate(CASES)
}
rows, said = [], {}
for case, (one, other) in pairs.items():
    took, _, text = one.communicate(timeout=90)[0].splitlines()[-1].partition("|")
    other.communicate(timeout=90)
    kind, _, said[case] = text.partition(": ")
    rows.append({"case": case, "error": kind, "before_timeout": float(took) < 4})
    rows[-1]["after_timeout"] = float(took) > 8
    print(rows[-1])


def told(case, begin="] ", end="(Seq"):
    return RuntimeError(said[case].rpartition(begin)[2].partition(end)[0])


# %%
# And one under ``torchrun``: does the launcher end, although the first rank sleeps?

begin = time.perf_counter()
run = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
launcher = started(run, "fails under torchrun")
report = launcher.communicate(timeout=90)[1]
took = time.perf_counter() - begin

measured = {
    "by_case": {"table": rows},
    "peer_is_gone": "by peer" in said["dies"],
    "skips": told("skips"),
    "barrier": told("skips a barrier", begin="]: "),
    "barrier_without": told("skips a barrier with its own timeout", begin="]: "),
    "detail": told("calls another, detail", begin="] "),
    "detail_names_both": "ALLREDUCEvs BROADCAST" in said["calls another, detail"],
    "torchrun_ended_early": took < 80,
    "torchrun_code": launcher.returncode,
    "torchrun_named_the_rank": "(local_rank: 1)" in report,
    "torchrun_ended_the_other": "closing signal SIGTERM" in report,
}
