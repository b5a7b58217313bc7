"""
DETAIL tells only the first rank
================================

With ``TORCH_DISTRIBUTED_DEBUG=DETAIL``, which rank can tell which others are missing? Rank 0: it
names the ranks that skipped a call, or died. Each other rank names rank 0, which was there, and
sends you to its log.
"""

# sphinx_gallery_evidence = {"timeout": 120}
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

# %%
# This program runs once for each of three ranks; the lost ones skip a call, or die. With NCCL, the
# ranks share a GPU, which NCCL itself would refuse: that call is the first, and fails before. With
# gloo, on the CPU, an earlier call has succeeded.

PROGRAM = """
import os, sys, time
from datetime import timedelta
import torch, torch.distributed as dist

backend, case, lost = sys.argv[1:]
x = torch.ones(4, device="cuda" if backend == "NCCL" else "cpu")
dist.init_process_group(backend.lower(), timeout=timedelta(seconds=5))
if backend == "gloo":
    dist.all_reduce(x)
time.sleep(1)  # meanwhile, all ranks come here
if os.environ["RANK"] in lost:
    if case == "dies": os._exit(3)
    time.sleep(60)
try:
    dist.all_reduce(x)
    said = "no error"
except Exception as error:
    said = f"{type(error).__name__} {error}"
print(said.replace(chr(10), "|"), flush=True)
time.sleep(2)  # the end of this rank is not what the others are told of
os._exit(0)
"""

# %%
# All cases run at the same time. Which other ranks does the error of each rank name? A rank that
# sleeps is ended once the others have ended.

CASES = [("NCCL", way, lost) for way in ("skips", "dies") for lost in "12"]
CASES += [("NCCL", "skip", "12"), ("gloo", "skips", "1"), ("gloo", "skips", "2")]
DETAIL = {"TORCH_DISTRIBUTED_DEBUG": "DETAIL", "WORLD_SIZE": "3"}


def started(rank, port, *case):
    given = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "RANK": rank}
    command, pipe = [sys.executable, "-c", PROGRAM, *case], subprocess.PIPE
    kind = {"stdout": pipe, "stderr": subprocess.DEVNULL, "text": True}
    return subprocess.Popen(command, env=os.environ | DETAIL | given, **kind)


def told(case, port):
    """Which ranks each rank names, how many raise an error, and whether one sends you to rank 0."""
    backend, way, lost = case
    ranks = {rank: started(rank, port, *case) for rank in "012"}
    row = {"case": f"{backend}, {' and '.join(lost)} {way}"}
    row |= {"raised": 0, "sends_to_rank_0": False}
    row |= {f"rank_{rank}": "lost" for rank in ranks}
    for rank in sorted(ranks, key=lambda rank: rank in lost):
        if rank in lost:
            ranks[rank].kill()
        said = ranks[rank].communicate(timeout=90)[0]
        if rank not in lost:
            print(f"{row['case']}, rank {rank}: {said[:300]}\n", end="")
            names = re.findall(r"[Rr]anks? (\d(?:, \d)*)", said)
            names = {one for name in names for one in name.split(", ")} - {rank}
            row[f"rank_{rank}"] = " and ".join(sorted(names)) or "none"
            row["raised"] += said.startswith("RuntimeError ")
            row["sends_to_rank_0"] |= "check rank 0 logs" in said
    return row


port = 20000 + os.getpid() % 1000 * 8  # below those that the system gives away
with ThreadPoolExecutor(len(CASES)) as pool:
    rows = list(pool.map(told, CASES, range(port, port + 8)))
measured = {"by_case": {"table": rows}}
