"""
DETAIL tells only the first rank
================================

With ``TORCH_DISTRIBUTED_DEBUG=DETAIL``, which rank can tell which others are missing? Rank 0: it
names the ranks that skip a call, or die while it waits for them. Each other rank names rank 0,
which was there, and sends you to its log. Of a rank that was dead before, rank 0 knows only that
its connection is closed; a plain ``monitored_barrier`` told no more of rank 1.
"""

# sphinx_gallery_evidence = {"timeout": 120}
import os
import re
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

# %%
# This program runs once for each of three ranks; the lost ones skip a call, or die: while the
# others wait in it, or before they come. With NCCL, the ranks share a GPU, which NCCL itself would
# refuse: that call is the first, and fails before. (PyTorch 2.15 connects the ranks earlier, in
# ``init_process_group``, where they end.) With gloo, on the CPU, an earlier call has succeeded; the
# barrier is gloo's own, without ``DETAIL``.

PROGRAM = """
import os, sys, time
from datetime import timedelta
import torch, torch.distributed as dist

backend, case, lost = sys.argv[1:]
wait, x = timedelta(seconds=5), torch.ones(4, device="cuda" if backend == "NCCL" else "cpu")
dist.init_process_group("nccl" if backend == "NCCL" else "gloo", timeout=wait)
if backend != "NCCL":
    dist.all_reduce(x)
if os.environ["RANK"] in lost:
    time.sleep({"was dead": 0, "dies": 6}.get(case, 60))
    os._exit(3)
time.sleep(4)  # a rank that dies at once is gone by then
try:
    dist.monitored_barrier(timeout=wait) if backend == "barrier" else dist.all_reduce(x)
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

CASES = [("NCCL", way, lost) for way in ("skips", "dies", "was dead") for lost in "12"]
CASES += [("NCCL", "skip", "12"), ("gloo", "skips", "1"), ("gloo", "skips", "2")]
CASES += [("barrier", "dies", "1"), ("barrier", "was dead", "1")]


def started(rank, port, *case):
    given = {
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(port),
        "RANK": rank,
        "WORLD_SIZE": "3",
    }
    given["TORCH_DISTRIBUTED_DEBUG"] = "OFF" if case[0] == "barrier" else "DETAIL"
    command, pipe = [sys.executable, "-c", PROGRAM, *case], subprocess.PIPE
    kind = {"stdout": pipe, "stderr": subprocess.DEVNULL, "text": True}
    return subprocess.Popen(command, env=os.environ | given, **kind)


def told(case, port):
    """Which ranks each rank names, how many raise an error, and what else they say."""
    backend, way, lost = case
    ranks = {rank: started(rank, port, *case) for rank in "012"}
    row = {"case": f"{backend}, {' and '.join(lost)} {way}"}
    row |= {"raised": 0, "sends_to_rank_0": False, "rank_0_says_closed": False}
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
            row["rank_0_says_closed"] |= (
                rank == "0" and "Connection closed by peer" in said
            )
    return row


with ExitStack() as held:  # free ports, all held until the last is found
    free = [held.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in CASES]
    ports = [one.getsockname()[1] for one in free]
with ThreadPoolExecutor(len(CASES)) as pool:
    rows = list(pool.map(told, CASES, ports))
measured = {"by_case": {"table": rows}}
