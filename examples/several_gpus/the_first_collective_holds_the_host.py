"""
The first collective holds the host
===================================

Does NCCL ever hold the host for a late rank? Yes, in the first collective of a group, and in the
first call from one rank to another: there the ranks connect, which also takes long by itself. From
the second call on, only streams wait.
"""

# sphinx_gallery_evidence = {"gpus": 2, "timeout": 120}
import json
import os
import socket
import subprocess
import sys
from contextlib import ExitStack

# %%
# This program runs once for each GPU. A gloo group lets the ranks begin a call at the same time;
# then the second one is late, or on time. A first call gets more time, since it takes long anyway.

PROGRAM = """
import json, os, sys, time
import torch
import torch.distributed as dist

late, kind = sys.argv[1:]
rank = int(os.environ["RANK"])
device = torch.device("cuda", rank)
torch.cuda.set_device(device)
x = torch.ones(2**20, device=device)
torch.cuda.synchronize()

def seconds(call, late_s=0):
    if rank == 1:
        time.sleep(late_s)
    begin = time.perf_counter()
    call()
    host = time.perf_counter() - begin
    torch.cuda.synchronize()
    return host, time.perf_counter() - begin

given = {"device_id": device} if kind == "device_id" else {}
made = seconds(lambda: dist.init_process_group("nccl", **given))
on_host = dist.new_group(backend="gloo")
other = dist.new_group([0, 1])
pair = (lambda: dist.send(x, 1)) if rank == 0 else (lambda: dist.recv(x, 0))
CALLS = {
    "all_reduce": lambda: dist.all_reduce(x),
    "send and recv": pair,
    "all_reduce of another group": lambda: dist.all_reduce(x, group=other),
}
held, taken = {}, {"made": made[1]}
for name, call in CALLS.items():
    for which, late_s in (("first", 3), ("second", 0.6)):
        dist.barrier(on_host)
        host, whole = seconds(call, late_s if late == "late" else 0)
        held[f"{which} {name}"] = host > late_s / 2
        taken.setdefault(which, whole)
print(json.dumps([held, taken]))
dist.barrier(on_host)
dist.destroy_process_group()
"""

# %%
# Each case has two processes of its own, and all run at the same time. "lazy" is a group that was
# made without ``device_id``.

CASES = [(late, kind) for late in ("late", "on time") for kind in ("lazy", "device_id")]
with ExitStack() as opened:  # free ports, all held until the last is found
    free = [opened.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in CASES]
    ports = [str(one.getsockname()[1]) for one in free]


def started(case, port, rank):
    given = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "WORLD_SIZE": "2"}
    given |= {"RANK": rank, "NCCL_NVLS_ENABLE": "0"}  # no multicast over NVLink
    command = [sys.executable, "-c", PROGRAM, *case]
    return subprocess.Popen(command, env=os.environ | given, stdout=subprocess.PIPE)


pairs = [[started(c, port, rank) for rank in "01"] for c, port in zip(CASES, ports)]
answers = [[json.loads(r.communicate(timeout=90)[0]) for r in pair] for pair in pairs]
first = dict(zip(CASES, (one for one, _ in answers)))

# %%
# Was the host of the first rank held until the second one came? And what did a group, its first
# ``all_reduce`` and its second take, if both ranks came on time?

held = {kind: first["late", kind][0] for kind in ("lazy", "device_id")}
rows = [{"call": c, **{kind: held[kind][c] for kind in held}} for c in held["lazy"]]
times = []
for kind in held:
    taken = first["on time", kind][1]
    times.append({"group": kind, "takes_long": taken["first"] > 10 * taken["second"]})
    print(kind, {name: f"{value:.1e} s" for name, value in taken.items()})
print(*rows, sep="\n")
measured = {"by_call": {"table": rows}, "by_group": {"table": times}}
