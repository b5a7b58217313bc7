"""
Desync debug looks for a dead rank
==================================

With ``TORCH_NCCL_DESYNC_DEBUG=1``, how often does the watchdog name the missing rank, and does it
ever end the process before the timeout? One of two ranks dies after a call that it had finished, at
once or a second later, or it skips the next call. Here, the watchdog named it in every try, and
never ended the process before the timeout.
"""

# sphinx_gallery_evidence = {"gpus": 2, "processes": 1, "timeout": 150}
import os
import re
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

# %%
# This program runs once for each GPU. The first rank, which hosts the store, says when it made its
# two calls; the second one is lost before its second call.

PROGRAM = """
import datetime, os, sys, time
import torch
import torch.distributed as dist

case, rank, port = sys.argv[1], *map(int, sys.argv[2:])
device = torch.device("cuda", rank)
torch.cuda.set_device(device)
kind = {"rank": rank, "world_size": 2, "device_id": device}
kind["store"] = dist.TCPStore("127.0.0.1", port, 2, rank == 0)
dist.init_process_group("nccl", timeout=datetime.timedelta(seconds=6), **kind)
x = torch.ones(2**10, device=device)
print("first", time.monotonic(), flush=True)
dist.all_reduce(x)
torch.cuda.synchronize()
time.sleep(0 if case == "dies at once" else 1)
if rank == 1:
    time.sleep(60 if case == "skips" else 0)
    os._exit(3)
print("second", time.monotonic(), flush=True)
dist.all_reduce(x)
torch.cuda.synchronize()
os._exit(0)
"""

# %%
# Some tries run at the same time. A rank that skips the call is ended once the other has ended.

GIVEN = {"TORCH_NCCL_DESYNC_DEBUG": "1", "NCCL_NVLS_ENABLE": "0"}
GIVEN |= {
    "TORCH_NCCL_WAIT_TIMEOUT_DUMP_MILSEC": "100",
    "TORCH_NCCL_DUMP_ON_TIMEOUT": "0",
}


def started(*arguments):
    command, pipe = (
        [sys.executable, "-c", PROGRAM, *map(str, arguments)],
        subprocess.PIPE,
    )
    kind = {"stdout": pipe, "stderr": pipe, "text": True}
    return subprocess.Popen(command, env=os.environ | GIVEN, **kind)


def attempt(case, port):
    """Whether the first rank was aborted, and when, whom it named, and which call timed out."""
    ranks = [started(case, rank, port) for rank in (0, 1)]
    said, errors = ranks[0].communicate(timeout=90)
    ended = time.monotonic()
    ranks[1].kill()
    ranks[1].communicate()
    made = {
        call: ended - float(at)
        for call, at in re.findall(r"(?m)^(first|second) (\S+)", said)
    }
    timed_out = re.findall(
        r"caught collective operation timeout: WorkNCCL\(SeqNum=(\d+)", errors
    )
    row = {
        "aborted": ranks[0].returncode == -6,
        "early": made["second"] < 5,
        "named": bool(re.search(r"[Rr]anks? \[?1\b|\[1\] (joined|finished)", errors)),
        "timed_out": bool(timed_out),
        "first_call": bool(timed_out) and min(map(int, timed_out)) == 1,
    }
    print(f"{case}: {made}, {row}\n", end="")  # from a thread
    if row["early"] or not row["named"]:
        told = [line for line in errors.splitlines() if "ank" in line or "rror" in line]
        print("".join(f"    {line[:400]}\n" for line in told[:12]), end="")
    return row


CASES = {"dies": 12, "dies at once": 8, "skips": 8}
tries = [case for case, count in CASES.items() for _ in range(count)]
with ExitStack() as held:  # free ports, all held until the last is found
    free = [held.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in tries]
    ports = [one.getsockname()[1] for one in free]
with ThreadPoolExecutor(14) as pool:
    rows = list(pool.map(attempt, tries, ports))


def counts(case):
    own = [row for of, row in zip(tries, rows, strict=True) if of == case]
    return {key: sum(row[key] for row in own) for key in own[0]}


measured = {
    "by_case": {
        "table": [
            {"case": case, "tries": count, **counts(case)}
            for case, count in CASES.items()
        ]
    }
}
