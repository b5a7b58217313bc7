"""
NCCL waits for a missing rank
=============================

With NCCL, what happens to the others when a rank dies, or never makes a call? Nothing, until the
timeout: the call returns, the GPU waits, and then a thread ends the process. It names the rank
that waited, and not the one that is missing.
"""

# sphinx_gallery_evidence = {"gpus": 2, "timeout": 120}
import os
import socket
import subprocess
import sys
import time

# %%
# This program runs once for each GPU. The second rank dies, or goes on without the call.

PROGRAM = """
import os, sys, time
from datetime import timedelta
import torch
import torch.distributed as dist

case, rank = sys.argv[1], int(os.environ["RANK"])
device = torch.device("cuda", rank)
torch.cuda.set_device(device)
dist.init_process_group("nccl", timeout=timedelta(seconds=6), device_id=device)
x = torch.ones(2**20, device=device)
dist.all_reduce(x)
torch.cuda.synchronize()

if rank == 1 and case == "dies":
    os._exit(3)
if rank == 1 and case == "skips":
    time.sleep(20)
    os._exit(0)
if rank == 1 and case == "comes late":
    time.sleep(2)
print(f"since {time.time()}", flush=True)
dist.all_reduce(x)
print("returned", flush=True)
torch.cuda.synchronize()
print("finished", flush=True)
os._exit(0)
"""

# %%
# All cases run at the same time. The first rank ends by itself, or is ended. Before that, a thread
# leaves time for a dump of what the ranks did; here, that is short.

variables = {"TORCH_NCCL_DUMP_ON_TIMEOUT": "0", "NCCL_NVLS_ENABLE": "0"}
variables |= {"TORCH_NCCL_WAIT_TIMEOUT_DUMP_MILSEC": "100", "WORLD_SIZE": "2"}
variables |= {"MASTER_ADDR": "127.0.0.1"}


def pair(case):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        shared = variables | {"MASTER_PORT": str(free.getsockname()[1])}
    command, pipe = [sys.executable, "-c", PROGRAM, case], subprocess.PIPE
    places = [{**os.environ, **shared, "RANK": rank} for rank in "01"]
    kind = {"stdout": pipe, "stderr": pipe, "text": True}
    return [subprocess.Popen(command, env=place, **kind) for place in places]


pairs = {case: pair(case) for case in ("comes late", "dies", "skips")}
rows = []
for case, (one, other) in pairs.items():
    said, errors = one.communicate(timeout=100)
    ended = time.time()
    other.communicate(timeout=100)
    row = {"case": case, "returned": "returned" in said, "finished": "finished" in said}
    row["aborted"] = one.returncode == -6
    begin = float(said.split("since ")[1].split()[0])
    row["before_timeout"] = ended - begin < 5
    row["watchdog_said"] = "[Rank 0] Watchdog caught collective operation" in errors
    row["named_the_missing"] = "Rank 1" in errors or "rank 1" in errors
    rows.append(row)
    print(row)

measured = {"by_case": {"table": rows}}
