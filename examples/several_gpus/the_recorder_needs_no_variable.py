"""
The recorder needs no variable
==============================

Has the flight recorder written anything, although nobody asked for it? At a timeout, each rank
that lives writes a file to the cache of the home folder; about a minute later, the process ends.
Variables shorten that minute, name another place, or have nothing written.
"""

# One process, as a minute is long: each case has two tries of its own.
# sphinx_gallery_evidence = {"gpus": 2, "processes": 1, "timeout": 180}
# sphinx_gallery_quiet = "nothing"
import os
import re
import site
import socket
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

# %%
# This program runs once for each GPU. The second rank goes on without the second call.

LIMIT = 6  # seconds
PROGRAM = """
import datetime, os, sys, time
import torch
import torch.distributed as dist

rank, port, limit = map(int, sys.argv[1:])
device = torch.device("cuda", rank)
torch.cuda.set_device(device)
kind = {"rank": rank, "world_size": 2, "device_id": device}
kind["store"] = dist.TCPStore("127.0.0.1", port, 2, rank == 0)
dist.init_process_group("nccl", timeout=datetime.timedelta(seconds=limit), **kind)
x = torch.ones(2**10, device=device)
dist.all_reduce(x)
torch.cuda.synchronize()
time.sleep(1)  # meanwhile, each rank's threads note that this call is done
if rank == 1: time.sleep(150)
print("since", time.time(), flush=True)
dist.all_reduce(x)
torch.cuda.synchronize()
os._exit(0)
"""

# %%
# Variables of PyTorch and NCCL that are set here are left out, but for one of NCCL itself. Each
# try has a home of its own, in which it runs; packages of this user are found as before.

WAIT, DUMP = "TORCH_NCCL_WAIT_TIMEOUT_DUMP_MILSEC", "TORCH_NCCL_DUMP_ON_TIMEOUT"
GIVEN = {
    "nothing": {},
    "shorter wait": {WAIT: "1000"},
    "another place": {WAIT: "1000", "TORCH_FR_DUMP_TEMP_FILE": "elsewhere_"},
    "no dump": {WAIT: "1000", DUMP: "0"},
}
OURS = ("TORCH_", "NCCL_")
PLAIN = {name: v for name, v in os.environ.items() if not name.startswith(OURS)}
PLAIN |= {"NCCL_NVLS_ENABLE": "0", "PYTHONUSERBASE": site.getuserbase()}


def started(rank, port, home, **variables):
    command = [sys.executable, "-c", PROGRAM, *map(str, (rank, port, LIMIT))]
    given = PLAIN | variables | {"HOME": str(home)}
    kind = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    return subprocess.Popen(command, env=given, cwd=home, **kind)


# %%
# How long does the first rank live after its timeout, and which files are there in the end? The
# second rank, which sleeps, is ended once the first has ended.


def run(case, port):
    home = Path(tempfile.mkdtemp())
    ranks = [started(rank, port, home, **GIVEN[case]) for rank in (0, 1)]
    said = ranks[0].communicate(timeout=150)[0]
    ended = time.time()
    ranks[1].kill()
    ranks[1].communicate()
    began = float(re.search(r"since (\S+)", said)[1])
    at_home, elsewhere = home.glob(".cache/torch/*"), home.glob("elsewhere_*")
    row = {
        "aborted": ranks[0].returncode == -6,
        "after_s": ended - began - LIMIT,
        "at_home": " and ".join(sorted(file.name for file in at_home)) or "none",
        "elsewhere": " and ".join(sorted(file.name for file in elsewhere)) or "none",
    }
    print(f"{case}: {row}\n", end="")  # from a thread
    return row


TRIES = 2
cases = [case for case in GIVEN for _ in range(TRIES)]
with ExitStack() as held:  # free ports, all held until the last is found
    free = [held.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in cases]
    ports = [one.getsockname()[1] for one in free]
with ThreadPoolExecutor(len(cases)) as pool:
    found = list(pool.map(run, cases, ports))
rows = []
for case in GIVEN:
    tries = [row for name, row in zip(cases, found) if name == case]
    row = {"case": case, "aborted": sum(one["aborted"] for one in tries)}
    row["soon"] = sum(0 < one["after_s"] < 20 for one in tries)
    row["a_minute_later"] = sum(55 < one["after_s"] < 80 for one in tries)
    for place in ("at_home", "elsewhere"):
        row[place] = " or ".join(sorted({one[place] for one in tries}))
    rows.append(row)
measured = {"tries": TRIES, "by_case": {"table": rows}}
