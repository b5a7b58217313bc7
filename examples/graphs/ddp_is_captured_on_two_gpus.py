"""
DDP is captured on two GPUs
===========================

Does a captured step average the gradients of two GPUs? It does, if each rank took eleven steps
before: every replay gave the mean of both ranks' gradients. After ten steps, the capture fails.
"""

# sphinx_gallery_evidence = {"gpus": 2, "timeout": 180}
import json
import os
import socket
import subprocess
import sys

# %%
# This program runs once for each GPU. The module is made in the stream that captures.

PROGRAM = r"""
import copy, json, os, re, sys
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

rank, warm_up, REPLAYS = int(os.environ["RANK"]), int(sys.argv[1]), 10
device = torch.device("cuda", rank)
torch.cuda.set_device(device)
dist.init_process_group("nccl", device_id=device)
torch.manual_seed(0)
layers = torch.nn.Linear(32, 64), torch.nn.Tanh(), torch.nn.Linear(64, 1)
model = torch.nn.Sequential(*layers).to(device)
plain = copy.deepcopy(model)  # without DDP
side, x = torch.cuda.Stream(), torch.randn(64, 32, device=device)

def step(module, x):
    module.zero_grad()
    module(x).square().mean().backward()

def gradients(module):
    return torch.cat([p.grad.flatten() for p in module.parameters()])

side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):
    ddp = DistributedDataParallel(model)
    for _ in range(warm_up):
        step(ddp, x)
torch.cuda.current_stream().wait_stream(side)
graph, told = torch.cuda.CUDAGraph(), {"error": "none", "right": 0}
try:
    with torch.cuda.graph(graph, stream=side):
        step(ddp, x)
except RuntimeError as error:
    name = re.findall(r"cudaError\w+", str(error.__context__ or error))
    told["error"] = (name or [str(error)])[0]
"""

# %%
# Each replay gets a new batch, another one on each rank. The wanted gradients are the mean of those
# of both batches, computed by a copy of the model without ``DistributedDataParallel``.

PROGRAM += """
for seed in range(REPLAYS if told["error"] == "none" else 0):
    torch.manual_seed(seed)
    batches = torch.randn(2, 64, 32, device=device)
    x.copy_(batches[rank])
    graph.replay()
    found, each = gradients(model), []
    for batch in batches:
        step(plain, batch)
        each.append(gradients(plain))
    wanted = sum(each) / 2
    told["right"] += ((found - wanted).norm() / wanted.norm() < 1e-5).item()
    apart = (each[0] - each[1]).norm() / wanted.norm()
    told["ranks_differ"] = bool(apart > 0.1)
print(json.dumps(told), flush=True)
os._exit(0)  # a failed capture may leave a group that waits for ever
"""

# %%
# Each case has two processes of its own, since a failed capture spoils them.


def run(warm_up):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    shared = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "WORLD_SIZE": "2"}
    shared["NCCL_NVLS_ENABLE"] = "0"  # no multicast over NVLink
    command, pipe = [sys.executable, "-c", PROGRAM, str(warm_up)], subprocess.PIPE
    places = [{**os.environ, **shared, "RANK": rank} for rank in "01"]
    ranks = [subprocess.Popen(command, env=e, stdout=pipe, text=True) for e in places]
    try:
        one, other = [json.loads(rank.communicate(timeout=80)[0]) for rank in ranks]
    finally:
        for rank in ranks:
            rank.kill()
    return {
        "steps": warm_up,
        "error": one["error"],
        "right": one["right"],
        "right_there": other["right"],
        "ranks_differ": one.get("ranks_differ", False),
    }


rows = [run(steps) for steps in (11, 10)]
print(*rows, sep="\n")
measured = {"replays": 10, "by_steps": {"table": rows}}
