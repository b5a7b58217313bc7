"""
Some collectives hold the host
==============================

Which calls of ``torch.distributed`` wait for the GPU? With NCCL, collectives and ``work.wait()``
return at once. A barrier, a wait with a timeout and everything that sends Python objects hold the
host. ``TORCH_NCCL_BLOCKING_WAIT=1`` makes ``work.wait()`` hold it, and since PyTorch 2.15, plain
calls as well.
"""

# sphinx_gallery_evidence = {"fresh": True, "expected_warnings": [".*deprecated"]}
import os
from datetime import timedelta

import torch
import torch.distributed as dist

device = torch.device("cuda", 0)
torch.cuda.set_device(device)
x, parts = (torch.ones(2**10, device=device) for _ in range(2))


def new_group():
    kind = {"store": dist.HashStore(), "rank": 0, "world_size": 1}
    dist.init_process_group("nccl", device_id=device, **kind)


new_group()
torch.cuda._sleep(100_000_000)  # the GPU is busy for about 50 ms
work = dist.all_reduce(x, async_op=True)
work.wait()
print("the host is here; has the GPU finished?", torch.cuda.current_stream().query())

# %%
# Each call comes behind a sleep in the current stream. If the event behind the sleep has happened
# when the call returns, the call held the host. The function that sleeps is private to PyTorch.

TRIES, CYCLES = 5, 40_000_000  # about 20 milliseconds each


def started():
    return dist.all_gather_into_tensor(parts, x, async_op=True)


CALLS = {
    "all_reduce": lambda: dist.all_reduce(x),
    "all_gather_into_tensor": lambda: dist.all_gather_into_tensor(parts, x),
    "broadcast": lambda: dist.broadcast(x, 0),
    "async_op=True": started,
    "work.wait()": lambda: started().wait(),
    "work.wait(timeout)": lambda: started().wait(timedelta(seconds=60)),
    "barrier": lambda: dist.barrier(),
    "barrier, async_op=True": lambda: dist.barrier(async_op=True),
    "all_gather_object": lambda: dist.all_gather_object([None], "text"),
    "broadcast_object_list": lambda: dist.broadcast_object_list(["text"], 0),
}


def held(call):
    call()  # a first call does more
    count = 0
    for _ in range(TRIES):
        torch.cuda.synchronize()
        torch.cuda._sleep(CYCLES)
        slept = torch.cuda.current_stream().record_event()
        call()
        count += slept.query()
    torch.cuda.synchronize()
    return count


usual = {name: held(call) for name, call in CALLS.items()}

# %%
# The variable is read when the group begins, so that a new group follows it.

dist.destroy_process_group()
os.environ["TORCH_NCCL_BLOCKING_WAIT"] = "1"
new_group()
blocking = {name: held(call) for name, call in CALLS.items()}
dist.destroy_process_group()

# %%
# With gloo and tensors on the CPU, the call itself is the work: here one rank is late by a sleep
# of the host, and the other waits for it. Both are threads of this process.

import threading
import time

store = dist.HashStore()
late_s, gloo = 0.2, {}


def gloo_rank(rank):
    options = {"store": dist.PrefixStore("gloo", store), "rank": rank, "size": 2}
    group = dist.ProcessGroupGloo(**options, timeout=timedelta(seconds=30))
    data = torch.ones(4)
    time.sleep(late_s * rank)
    begin = time.perf_counter()
    group.allreduce([data]).wait()
    gloo[rank] = (time.perf_counter() - begin, data.sum().item())


ranks = [threading.Thread(target=gloo_rank, args=(rank,)) for rank in range(2)]
for step in (threading.Thread.start, threading.Thread.join):
    for rank in ranks:
        step(rank)

rows = [{"call": n, "held": usual[n], "held_blocking": blocking[n]} for n in CALLS]
print(*rows, sep="\n")
measured = {
    "tries": TRIES,
    "by_call": {"table": rows},
    "gloo_waited": gloo[0][0] > 0.5 * late_s,
    "gloo_right": gloo[0][1] == gloo[1][1] == 8.0,
}
