"""
Gloo says which rank is missing
===============================

What happens to the others when a rank dies, or never makes a call? With gloo, the next collective
raises an error: at once if the rank is dead, otherwise after the timeout. ``monitored_barrier``
names the rank, and ``torchrun`` ends all ranks as soon as one has failed.
"""

# sphinx_gallery_evidence = {"timeout": 120}
# sphinx_gallery_quiet = "nothing"
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

# %%
# This program runs once for each rank. The second rank does what the case says; the others wait
# for it, and tell what they were told. The tensors are on the CPU, so that no GPU is needed.

PROGRAM = """
import datetime, os, sys, time
import torch, torch.distributed as dist
case, rank = sys.argv[1], int(os.environ["RANK"])
x, limit = torch.ones(4), datetime.timedelta(seconds=5)
dist.init_process_group("gloo", timeout=limit)
dist.all_reduce(x)
print("ready", flush=True)
if rank == 1 and case == "dies": os._exit(3)
if case == "fails under torchrun":
    if rank == 1: raise ValueError("something else")
    time.sleep(100)  # busy with something that is no collective
if rank == 1 and case.startswith("skips"):
    time.sleep(12)
    sys.exit()
begin, said = time.perf_counter(), "none"
try:
    if "barrier" in case:
        dist.monitored_barrier(timeout=None if "its own" in case else limit)
    elif case.startswith("calls another") and rank == 1:
        dist.broadcast(x, 0)
    else:
        dist.all_reduce(x)
except Exception as error:
    said = f"{type(error).__name__}: {error}".replace(chr(10), "|")
print(f"{time.perf_counter() - begin:.3f}|{said}", flush=True)
time.sleep(1)  # the end of this rank is not what the others are told of
os._exit(0)
"""
program = Path(tempfile.mkdtemp(), "program.py")
program.write_text(PROGRAM)


def started(command, case, **variables):
    command = [sys.executable, *command, str(program), case]
    pipe, given = subprocess.PIPE, os.environ | variables
    return subprocess.Popen(command, env=given, stdout=pipe, stderr=pipe, text=True)


def group(case, port):
    ranks, size = ("012", "3") if "three" in case else ("01", "2")
    given = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    given |= {"TORCH_DISTRIBUTED_DEBUG": "DETAIL" if "detail" in case else "OFF"}
    return [started([], case, **given, WORLD_SIZE=size, RANK=rank) for rank in ranks]


# %%
# Without a launcher: which other ranks does each message name? What varies in it is left out.

CASES = ["dies", "skips", "skips, three ranks", "skips a barrier"]
CASES += ["skips a barrier, three ranks", "skips a barrier with its own timeout"]
CASES += ["calls another", "calls another, detail"]
with ExitStack() as held:  # free ports, all held until the last is found
    free = [held.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in CASES]
    ports = [one.getsockname()[1] for one in free]
groups = [group(case, port) for case, port in zip(CASES, ports)]
rows, named, said = [], [], {}
for case, ranks in zip(CASES, groups):
    answers = [rank.communicate(timeout=90)[0].splitlines()[-1] for rank in ranks]
    for rank, answer in enumerate(answers):
        took, *text = answer.split("|")
        names = sorted({*re.findall("[Rr]anks? ([0-9])", answer)} - {str(rank)})
        row = {"case": f"{case}, rank {rank}", "names": " ".join(names) or "none"}
        named += [row] if text else []  # the others did not come
        if rank == 0:
            kind, _, said[case] = text[0].partition(": ")
            row = {"error": kind, "before_timeout": float(took) < 4}
            rows.append({"case": case, **row, "after_timeout": float(took) > 8})
print(*rows, *named, sep="\n")


def told(case, begin="] "):
    return RuntimeError(said[case].rpartition(begin)[2].partition("(Seq")[0])


# %%
# And one under ``torchrun``: does the launcher end, although the first rank sleeps?

begin = time.perf_counter()
run = "-m torch.distributed.run --standalone --nproc-per-node 2"
launcher = started(run.split(), "fails under torchrun")
report = launcher.communicate(timeout=90)[1]

measured = {
    "by_case": {"table": rows},
    "by_rank": {"table": named},
    "peer_is_gone": "by peer" in said["dies"],
    "skips": told("skips"),
    "barrier": told("skips a barrier", begin="]: "),
    "barrier_without": told("skips a barrier with its own timeout", begin="]: "),
    "detail": told("calls another, detail"),
    "detail_names_both": "ALLREDUCEvs BROADCAST" in said["calls another, detail"],
    "torchrun_ended_early": time.perf_counter() - begin < 80,
    "torchrun_code": launcher.returncode,
    "torchrun_named_the_rank": "(local_rank: 1)" in report,
    "torchrun_ended_the_other": "closing signal SIGTERM" in report,
}
