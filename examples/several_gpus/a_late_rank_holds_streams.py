"""
A late rank holds streams
=========================

What waits for a rank that comes late to a collective? With NCCL, the streams of the others do, and
not their hosts: the call returns, and so does ``work.wait()``. What is read before the wait is old.
"""

# sphinx_gallery_evidence = {"gpus": 2, "timeout": 120}
import json
import os
import socket
import subprocess
import sys

# %%
# This program runs once for each GPU. Each rank adds its number to the sum, and the second comes
# late: its host, or only its GPU. All kernels have run before, since the first call of one takes
# long. An event in the current stream tells when that stream went on.

PROGRAM = """
import json, os, time
import torch
import torch.distributed as dist

rank = int(os.environ["RANK"])
device = torch.device("cuda", rank)
torch.cuda.set_device(device)
dist.init_process_group("nccl", device_id=device)
on_host = dist.new_group(backend="gloo")
TRIES, LATE, SUM = 10, 0.15, 3.0  # of 1 and 2
CYCLES = 300_000_000  # of the GPU: as late, or later

def read_at_once(x):
    dist.all_reduce(x, async_op=True)
    return x.clone()

def read_after_wait(x):
    dist.all_reduce(x, async_op=True).wait()
    return x.clone()

def plain_call(x):
    dist.all_reduce(x)
    return x.clone()

def attempt(way, late):
    x, passed = torch.full((2**20,), rank + 1.0, device=device), torch.cuda.Event()
    torch.cuda.synchronize()
    dist.barrier(on_host)
    if rank == 1:
        time.sleep(LATE) if late == "host" else torch.cuda._sleep(CYCLES)
    begin = time.perf_counter()
    seen = way(x)
    passed.record()
    times = [time.perf_counter() - begin]
    for awaited in (passed, torch.cuda):
        awaited.synchronize()
        times.append(time.perf_counter() - begin)
    host, stream, whole = (taken > LATE / 2 for taken in times)
    return bool((seen != SUM).any()), not host, stream, whole

rows, names = {}, ("stale", "host_early", "stream_held", "gpu_held")
for late in ("host", "GPU"):
    rows[late] = []
    for way in (read_at_once, read_after_wait, plain_call):
        attempt(way, late)
        tries = [attempt(way, late) for _ in range(TRIES)]
        counts = dict(zip(names, (sum(column) for column in zip(*tries))))
        rows[late].append({"way": way.__name__, **counts})
print(json.dumps(rows))
dist.destroy_process_group()
"""

# %%
# What the first rank saw: how often the result was old, how often its host went on before the
# second rank came, and how often its current stream, and its GPU, were not done until then.

with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = str(free.getsockname()[1])
shared = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "WORLD_SIZE": "2"}
shared["NCCL_NVLS_ENABLE"] = "0"  # no multicast over NVLink
command, pipe = [sys.executable, "-c", PROGRAM], subprocess.PIPE
places = [{**os.environ, **shared, "RANK": rank} for rank in "01"]
ranks = [subprocess.Popen(command, env=e, stdout=pipe, text=True) for e in places]
rows, _ = [json.loads(rank.communicate(timeout=100)[0]) for rank in ranks]
by_way, gpu_late = rows["host"], rows["GPU"]
print(*by_way, *gpu_late, sep="\n")
measured = {"tries": 10, "by_way": {"table": by_way}, "gpu_late": {"table": gpu_late}}
