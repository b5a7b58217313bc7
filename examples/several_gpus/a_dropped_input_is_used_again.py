"""
A dropped input is used again
=============================

Does NCCL keep the input of a collective? Only until ``work.wait()``. If that is called in a side
stream and the input is dropped, a new tensor in its own stream may get the memory while the
collective still runs. ``TORCH_NCCL_AVOID_RECORD_STREAMS`` changes nothing about it.
"""

# sphinx_gallery_evidence = {"gpus": 2, "timeout": 120}
import json
import os
import socket
import subprocess
import sys
from contextlib import ExitStack

# %%
# This program runs once for each GPU. The second rank is late, so that the collective of the first
# one is still to come when the input is dropped. The new tensor is filled with a number that no sum
# gives; the allocator is asked whether it has the memory of the input.

PROGRAM = """
import json, os, time
import torch
import torch.distributed as dist

rank = int(os.environ["RANK"])
device = torch.device("cuda", rank)
torch.cuda.set_device(device)
dist.init_process_group("nccl", device_id=device)
on_host = dist.new_group(backend="gloo")
side, TRIES, LATE = torch.cuda.Stream(), 10, 0.1

def reduced_there(x, **kind):
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        return dist.all_reduce(x, **kind)

def waited_there(x):
    work = reduced_there(x, async_op=True)
    with torch.cuda.stream(side):
        work.wait()

def plain_call_there(x):
    reduced_there(x)

def recorded(x):
    waited_there(x)
    x.record_stream(side)

def own_stream_waits(x):
    waited_there(x)
    torch.cuda.current_stream().wait_stream(side)

def waited_in_own_stream(x):
    reduced_there(x, async_op=True).wait()

def never_waited(x):
    kept.append(reduced_there(x, async_op=True))

def input_kept(x):
    waited_there(x)
    kept.append(x)
"""

# %%
# Each way gets an input that it alone refers to. In ``never_waited``, what it gave back is kept.

PROGRAM += """
def attempt(way):
    torch.cuda.synchronize()
    dist.barrier(on_host)
    if rank == 1:
        time.sleep(LATE)
    kept.clear()
    inputs = [torch.full((2**20,), rank + 1.0, device=device)]
    place = inputs[0].data_ptr()
    way(inputs.pop())  # nobody else has it
    new = torch.full((2**20,), -1.0, device=device)
    is_reused = new.data_ptr() == place
    torch.cuda.synchronize()
    return is_reused, bool((new != -1).any())

kept, rows = [], []
ways = (waited_there, plain_call_there, recorded, own_stream_waits, waited_in_own_stream)
for way in (*ways, never_waited, input_kept):
    attempt(way)
    reused, wrong = zip(*(attempt(way) for _ in range(TRIES)))
    rows.append({"way": way.__name__, "reused": sum(reused), "wrong": sum(wrong)})
print(json.dumps([TRIES, rows]))
dist.destroy_process_group()
"""

# %%
# The first rank's counts, without the variable and with both of its values, all at the same time.

NAME = "TORCH_NCCL_AVOID_RECORD_STREAMS"
VALUES = {"not set": {}, "0": {NAME: "0"}, "1": {NAME: "1"}}
with ExitStack() as held:  # free ports, all held until the last is found
    free = [held.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in VALUES]
    ports = [str(one.getsockname()[1]) for one in free]


def started(given, port, rank):
    shared = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "WORLD_SIZE": "2"}
    shared |= {"RANK": rank, "NCCL_NVLS_ENABLE": "0"}  # no multicast over NVLink
    pipe, places = subprocess.PIPE, os.environ | shared | given
    command = [sys.executable, "-c", PROGRAM]
    return subprocess.Popen(command, env=places, stdout=pipe, stderr=pipe, text=True)


pairs = [[started(*both, r) for r in "01"] for both in zip(VALUES.values(), ports)]
rows, warned = [], []
for value, ranks in zip(VALUES, pairs):
    (answer, errors), _ = [rank.communicate(timeout=90) for rank in ranks]
    tries, ways = json.loads(answer)
    rows += [{"case": f"{value}, {row['way']}"} | row for row in ways]
    warned.append({"value": value, "warned": NAME in errors})
print(*rows, *warned, sep="\n")
measured = {"tries": tries, "by_case": {"table": rows}, "by_value": {"table": warned}}
