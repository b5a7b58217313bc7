"""
NCCL waits for a missing rank
=============================

With NCCL, what happens to the other when a rank dies, or never makes a call? Nothing, until the
timeout: the call returns, the GPU waits, and then a thread ends the process. It names the rank
that waited, and not the one that is missing. With some variables, it is named.
"""

# sphinx_gallery_evidence = {"gpus": 2, "timeout": 120}
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

# %%
# This program runs once for each GPU. One rank dies, is late, or skips the call.

PROGRAM = """
import datetime, os, sys, time
import torch
import torch.distributed as dist

case, rank, port = sys.argv[1], *map(int, sys.argv[2:])
torch.cuda.set_device(device := torch.device("cuda", rank))
kind = {"rank": rank, "world_size": 2, "device_id": device}
kind["store"] = dist.TCPStore("127.0.0.1", port, 2, rank == 0)
dist.init_process_group("nccl", timeout=datetime.timedelta(seconds=6), **kind)
x = torch.ones(2**10, device=device)
dist.all_reduce(x)
torch.cuda.synchronize()
time.sleep(1)  # meanwhile, each rank's threads note that this call is done
if rank == (0 if case.startswith("the first") else 1):
    if "dies" in case: os._exit(3)
    time.sleep(60 if "skips" in case else 2)
print("since", time.time(), flush=True)
try:
    dist.all_reduce(x)
    print("returned", flush=True)
    torch.cuda.synchronize()
    print("finished", flush=True)
except Exception as error:
    print("raised", type(error).__name__, error, flush=True)
os._exit(0)
"""

# %%
# Before it ends the process, the thread leaves time for a dump of what the ranks did; here, that is
# short. The dumps are read by a program that comes with PyTorch, ``torchfrtrace``.

WAIT, DUMP = "TORCH_NCCL_WAIT_TIMEOUT_DUMP_MILSEC", "TORCH_NCCL_DUMP_ON_TIMEOUT"
PLAIN = {WAIT: "100", DUMP: "0", "NCCL_NVLS_ENABLE": "0"}
GIVEN = {
    "recorder": {WAIT: "1000", DUMP: "1", "TORCH_FR_BUFFER_SIZE": "2000"},
    "recorder of its usual size": {WAIT: "1000", DUMP: "1"},
    "desync": {"TORCH_NCCL_DESYNC_DEBUG": "1"},
    "detail": {"TORCH_DISTRIBUTED_DEBUG": "DETAIL"},
}
READER = "from importlib.metadata import entry_points as commands\n"
READER += "commands(name='torchfrtrace')['torchfrtrace'].load()()"


def started(*arguments, **variables):
    command, pipe = [sys.executable, "-c", *map(str, arguments)], subprocess.PIPE
    kind = {"stdout": pipe, "stderr": pipe, "text": True}
    return subprocess.Popen(command, env=os.environ | PLAIN | variables, **kind)


def awaited(process):
    return *process.communicate(timeout=90), time.time()


# %%
# All cases run at the same time. A rank that skips the call is ended once the other has ended.


def run(case, port):
    lost, folder = 0 if case.startswith("the first") else 1, Path(tempfile.mkdtemp())
    given = {"TORCH_FR_DUMP_TEMP_FILE": f"{folder}/rank_"}
    given |= GIVEN.get(case.partition(", ")[2], {})
    ranks = [started(PROGRAM, case, rank, port, **given) for rank in (0, 1)]
    with ThreadPoolExecutor(2) as pool:
        of_lost, of_other = (pool.submit(awaited, ranks[r]) for r in (lost, 1 - lost))
        said, errors, ended = of_other.result()
        ranks[lost].kill()
    told = dict(re.findall(r"(?m)^(since|raised) (\S+)", said))
    lived = ended - float(told.get("since", ended))
    read = awaited(started(READER, folder))[:2] if [*folder.iterdir()] else ()
    naming = rf"[Rr]anks? \[?{lost}\b|\[{lost}\] (joined|finished)"
    row = {
        "returned": "returned\n" in said,
        "finished": "finished\n" in said,
        "raised": told.get("raised", "none"),
        "aborted": ranks[1 - lost].returncode == -6,
        "before_timeout": lived < 5,
        "long_after_timeout": lived > 20,
        "watchdog_said": "Watchdog caught collective" in errors,  # those of its own
        "named_the_missing": bool(re.search(naming, said + errors)),
        "told_the_missing": "signal from another rank" in of_lost.result()[1],
        "dumps": len([*folder.iterdir()]),
        "dumps_name_it": bool(re.search(rf"issing .*\{{{lost}\}}", "".join(read))),
    }
    print(f"{case}: {lived:.1f} s, {row}\n", end="")  # from a thread
    return {"case": case, **row}


CASES = ["comes late", "skips, recorder of its usual size"]
for given in ("", ", recorder", ", desync", ", detail"):
    CASES += [way + given for way in ("skips", "dies", "the first dies")]
with ExitStack() as held:  # free ports, all held until the last is found
    free = [held.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in CASES]
    ports = [one.getsockname()[1] for one in free]
with ThreadPoolExecutor(len(CASES)) as pool:
    rows = list(pool.map(run, CASES, ports))
measured = {"by_case": {"table": rows}}
