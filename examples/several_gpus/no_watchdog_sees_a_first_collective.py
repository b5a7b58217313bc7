"""
No watchdog sees a first collective
===================================

What if a rank never comes to the first collective? The others wait in the call itself, where they
are to connect to it, and no thread counts that time. A barrier of a gloo group, called before,
raises an error that names the rank.
"""

# sphinx_gallery_evidence = {"gpus": 2, "timeout": 120}
import os
import re
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

# %%
# This program runs once for each GPU. An alarm ends the rank that waits, after three times the
# timeout. A store that the group makes itself has the timeout, too.

PROGRAM = """
import os, signal, sys, time
from datetime import timedelta
import torch
import torch.distributed as dist

case, kind, lost, rank, port = *sys.argv[1:3], *map(int, sys.argv[3:])
device, limit = torch.device("cuda", rank), timedelta(seconds=4)
torch.cuda.set_device(device)
x = torch.ones(2**10, device=device)
torch.cuda.synchronize()
store = dist.TCPStore("127.0.0.1", port, 2, rank == 0)
given = {"store": store, "rank": rank, "world_size": 2, "timeout": limit}
given |= {"device_id": device} if kind == "device_id" else {}
dist.init_process_group("nccl", **given)
on_host = dist.new_group(backend="gloo") if "barrier" in case else None
if "second" in case:
    dist.all_reduce(x)
    torch.cuda.synchronize()
store.set(f"made by {rank}", "")
store.wait(["made by 0", "made by 1"])
store.set_timeout(limit)
time.sleep(1)  # until the other rank is here, too
if rank == lost:
    if "dies" in case: os._exit(3)
    time.sleep(60)
signal.alarm(12)
print("since", time.time(), flush=True)
try:
    if on_host is not None: dist.monitored_barrier(on_host, limit)
    dist.all_reduce(x)
    print("returned", flush=True)
    torch.cuda.synchronize()
    print("finished", flush=True)
except Exception as error:
    print("raised", type(error).__name__, error, flush=True)
os._exit(0)
"""

# %%
# All cases run at the same time. Before the watchdog ends a process, it leaves time for a dump of
# what the ranks did; here, that is short.

QUICK = {"TORCH_NCCL_WAIT_TIMEOUT_DUMP_MILSEC": "100", "NCCL_NVLS_ENABLE": "0"}
QUICK |= {"TORCH_NCCL_DUMP_ON_TIMEOUT": "0"}


def run(case, kind, lost, port):
    command = [sys.executable, "-c", PROGRAM, case, kind, str(lost)]
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    options["env"] = os.environ | QUICK
    two = [subprocess.Popen([*command, r, str(port)], **options) for r in "01"]
    said, errors = two[1 - lost].communicate(timeout=90)
    ended = time.time()
    two[lost].kill()
    two[lost].communicate()
    told = dict(re.findall(r"(?m)^(since|raised) (\S+)", said))
    lived = ended - float(told.get("since", ended))
    row = {
        "case": f"rank {lost} {case}, {kind}",
        "still_waited": two[1 - lost].returncode == -14,  # by the alarm
        "aborted": two[1 - lost].returncode == -6,
        "raised": told.get("raised", "none"),
        "before_timeout": lived < 3.5,
        "returned": "returned\n" in said,
        "watchdog_said": "Watchdog caught collective" in errors,
        "named": bool(re.search(rf"[Rr]anks? \[?{lost}\b", said + errors)),
    }
    print(f"{lived:.1f} s, {row}\n", end="")  # from a thread
    return row


CASES = [("skips the second call", "device_id", 1), ("skips, barrier first", "lazy", 1)]
for kind in ("lazy", "device_id"):
    CASES += [(way, kind, lost) for way in ("skips", "dies") for lost in (1, 0)]
with ExitStack() as held:  # free ports, all held until the last is found
    free = [held.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in CASES]
    ports = [one.getsockname()[1] for one in free]
with ThreadPoolExecutor(len(CASES)) as pool:
    rows = list(pool.map(run, *zip(*CASES), ports))
measured = {"by_case": {"table": rows}}
