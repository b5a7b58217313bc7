"""
Join lets ranks run out of batches
==================================

What if one rank has fewer batches than the other? Without ``join()``, the other waits in its next
step, until the timeout. Under ``join()`` it goes on, with half of its own gradient; or both stop.
"""

# sphinx_gallery_evidence = {"gpus": 2, "timeout": 120}
import json
import os
import socket
import subprocess
import sys
from contextlib import ExitStack

# %%
# This program runs once for each GPU. The first rank has four batches, and the second one two. The
# gradient of a batch is known: one for the first rank, and two for the second.

PROGRAM = """
import json, os, sys, time
from contextlib import nullcontext
from datetime import timedelta
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

case, rank = sys.argv[1], int(os.environ["RANK"])
device = torch.device("cuda", rank)
torch.cuda.set_device(device)
dist.init_process_group("nccl", device_id=device, timeout=timedelta(seconds=10))
model = DistributedDataParallel(torch.nn.Linear(8, 1, bias=False).to(device))
weight = model.module.weight
batches = [torch.full((4, 8), 1.0 + rank, device=device)] * (4 if rank == 0 else 2)
row = {"steps": 0, "gradient": 0.0, "raised": "none", "same_weights": False}

def step(batch):
    model.zero_grad()
    model(batch).mean().backward()
    with torch.no_grad():
        weight.sub_(weight.grad, alpha=0.1)
    row["gradient"] = weight.grad.mean().item()
    row["steps"] += 1
    print(json.dumps(row), flush=True)

def steps():
    for batch in batches:
        step(batch)

def until_one_has_none():
    for count in range(len(batches) + 1):
        left = torch.tensor(len(batches) - count, device=device)
        dist.all_reduce(left, dist.ReduceOp.MIN)
        if left == 0:
            break
        step(batches[count])
"""

# %%
# In the end, do the ranks have the same weights? Without ``join()``, the second one stays.

PROGRAM += """
join = model.join
CASES = {
    "no join": (nullcontext, steps),
    "join": (join, steps),
    "join, divided by who is left": (lambda: join(divide_by_initial_world_size=False), steps),
    "join, error for all": (lambda: join(throw_on_early_termination=True), steps),
    "asked before each step": (nullcontext, until_one_has_none),
}
context, train = CASES[case]
try:
    with context():
        train()
except RuntimeError as error:
    row["raised"] = str(error)
if case == "no join":
    time.sleep(60 * rank)  # the second rank stays
    os._exit(0)
both = [torch.empty_like(weight) for _ in range(2)]
dist.all_gather(both, weight.detach())
print(json.dumps(row | {"same_weights": torch.equal(*both)}), flush=True)
dist.destroy_process_group()
"""

CASES = ["no join", "join", "join, divided by who is left", "join, error for all"]
CASES += ["asked before each step"]
with ExitStack() as held:  # free ports, all held until the last is found
    free = [held.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in CASES]
    ports = [str(one.getsockname()[1]) for one in free]
shared = {"MASTER_ADDR": "127.0.0.1", "WORLD_SIZE": "2", "NCCL_NVLS_ENABLE": "0"}
shared |= {"TORCH_NCCL_DUMP_ON_TIMEOUT": "0"}  # the watchdog is to end a process soon
shared |= {"TORCH_NCCL_WAIT_TIMEOUT_DUMP_MILSEC": "100"}


def started(case, port, rank):
    given = os.environ | shared | {"MASTER_PORT": port, "RANK": rank}
    kind = {"env": given, "stdout": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-c", PROGRAM, case], **kind)


# %%
# All cases run at the same time. What each rank said last is what became of it.

pairs = [[started(c, port, rank) for rank in "01"] for c, port in zip(CASES, ports)]
rows = []
for case, (first, second) in zip(CASES, pairs):
    said = [first.communicate(timeout=90)[0]]
    if case == "no join":
        second.kill()
    said.append(second.communicate(timeout=90)[0])
    one, other = (json.loads(text.splitlines()[-1]) for text in said)
    row = {"case": case, **one, "second_steps": other["steps"]}
    row |= {"second_raised": other["raised"], "aborted": first.returncode == -6}
    rows.append(row)
    print(row)
measured = {"by_case": {"table": rows}}
