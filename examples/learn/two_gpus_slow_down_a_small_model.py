"""
Two GPUs slow down a small model
================================

Is my loop faster on two GPUs? Each takes half of the batch, and both sum their gradients in every
step. The wide model gains, although less than twice; the small model takes longer than on one GPU,
since the sum of gradients comes on top of launches that are no fewer.
"""

# sphinx_gallery_evidence = {"gpus": 2, "timeout": 180}
import json
import os
import socket
import subprocess
import sys

# %%
# The program of each rank. With fewer than two GPUs, there are two ranks on the CPU, which shows
# that it runs, and not what it gains.

PROGRAM = """
import json, os
from time import perf_counter
import torch
import torch.distributed as dist
from torch import nn

rank = int(os.environ["RANK"])
has_gpus = torch.cuda.device_count() >= 2
device = torch.device("cuda", rank) if has_gpus else torch.device("cpu")
if has_gpus:
    torch.cuda.set_device(device)
    dist.init_process_group("nccl", device_id=device)
else:
    torch.set_num_threads(1)
    dist.init_process_group("gloo")
on_host = dist.new_group(backend="gloo")
torch.manual_seed(0)
points = torch.rand(5000, 2) * 2 - 1
labels = (points.norm(dim=1) > 0.5).long() + (points.norm(dim=1) > 0.9).long()
x, y = points[:4000].to(device), labels[:4000].to(device)
half = x.chunk(2)[rank], y.chunk(2)[rank]

def model_and_adam(width, ddp):
    torch.manual_seed(0)
    middle = [nn.Linear(width, width), nn.ReLU()] if width > 64 else []
    layers = nn.Linear(2, width), nn.ReLU(), *middle, nn.Linear(width, 3)
    model = nn.Sequential(*layers).to(device)
    if ddp:
        model = nn.parallel.DistributedDataParallel(model)
    return model, torch.optim.Adam(model.parameters(), lr=0.0001)

def seconds(model, optimizer, x, y, steps):
    begin = perf_counter()
    for step in range(steps):
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    loss.item()  # waits for the GPU
    return (perf_counter() - begin) / steps
"""

# %%
# One GPU with the whole batch, while the other waits; and both with a half of it. They take turns.
# In the end, are the weights of both ranks the same?

PROGRAM += """
def turns(width, steps, rounds=7):
    alone, shared = model_and_adam(width, ddp=False), model_and_adam(width, ddp=True)
    taken = []
    for _ in range(rounds):
        dist.barrier(on_host)
        one = seconds(*alone, x, y, steps) if rank == 0 else 0.0
        dist.barrier(on_host)
        taken.append((one, seconds(*shared, *half, steps)))
    weights = torch.cat([w.detach().flatten() for w in shared[0].parameters()]).cpu()
    both = [torch.empty_like(weights) for _ in range(2)]
    dist.all_gather(both, weights, group=on_host)
    return taken[2:], torch.equal(*both)  # the first turns warm up

wide = 4096 if has_gpus else 96
print(json.dumps([has_gpus, turns(64, 50), turns(wide, 10)]))
dist.barrier(on_host)
dist.destroy_process_group()
"""

shared = {"MASTER_ADDR": "127.0.0.1", "WORLD_SIZE": "2", "NCCL_NVLS_ENABLE": "0"}
with socket.create_server(("127.0.0.1", 0)) as free:
    shared["MASTER_PORT"] = str(free.getsockname()[1])
command, pipe = [sys.executable, "-c", PROGRAM], subprocess.PIPE
places = [{**os.environ, **shared, "RANK": rank} for rank in "01"]
ranks = [subprocess.Popen(command, env=e, stdout=pipe, text=True) for e in places]
(has_gpus, *found), _ = [json.loads(r.communicate(timeout=150)[0]) for r in ranks]

# %%
# How many times as fast as one GPU two are, round by round.

from statistics import median

rows = []
for name, (turns, is_same) in zip(("small", "wide"), found):
    ones, twos = zip(*turns)
    speedups = [a / b for a, b in turns]
    row = {"one_s": {"samples": ones}, "two_s": {"samples": twos}}
    rows.append(
        {"model": name, "same": is_same, "speedup": {"samples": speedups}} | row
    )
    print(f"{name}: {median(speedups):.2f} times as fast; the same weights: {is_same}")
if not has_gpus:
    print("fewer than two GPUs here: both ranks ran on the CPU")
measured = {"ranks": len(ranks), "by_model": {"table": rows}}
