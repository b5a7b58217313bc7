"""
DDP needs warm-up before its capture
====================================

How many steps must ``DistributedDataParallel`` run before its backward pass can be captured? It
times its first ten steps and reads each time in the next, which a capture does not allow.
It must also be made in a side stream, since gradients are added in the stream in which it was made.
"""

# sphinx_gallery_evidence = {"gpus": 2, "timeout": 180}
import json
import os
import socket
import subprocess
import sys

# Below: a program that runs once for each GPU, with the variables that ``torchrun`` sets.

PROGRAM = """
import copy, json, os, sys
import torch
import torch.distributed as dist

rank, warm_up, place = int(os.environ["RANK"]), int(sys.argv[1]), sys.argv[2]
torch.cuda.set_device(rank)
dist.init_process_group("nccl", device_id=torch.device("cuda", rank))
torch.manual_seed(0)
layers = torch.nn.Linear(32, 64), torch.nn.Tanh(), torch.nn.Linear(64, 1)
model = torch.nn.Sequential(*layers).cuda()
plain = copy.deepcopy(model)  # without DDP
side, here = torch.cuda.Stream(), torch.cuda.current_stream()
side.wait_stream(here)
with torch.cuda.stream(side if place == "side" else here):
    ddp = torch.nn.parallel.DistributedDataParallel(model, device_ids=[rank])
x = torch.randn(64, 32, device="cuda")
def step(module, x):
    module.zero_grad()
    module(x).square().mean().backward()
"""

# %%
# Eager steps in the side stream, one captured step, and replays. The wanted gradient is the mean of
# those of both ranks, computed without DDP.

PROGRAM += """
with torch.cuda.stream(side):
    for _ in range(warm_up):
        step(ddp, x)
here.wait_stream(side)
graph, told = torch.cuda.CUDAGraph(), {"captured": True, "says": "", "right": 0}
ddp.zero_grad()
try:
    with torch.cuda.graph(graph):
        step(ddp, x)
except RuntimeError as error:
    told |= {"captured": False, "says": str(error.__context__ or error).splitlines()[0]}
gradients = [parameter.grad for parameter in model.parameters()]
for seed in range(10 * told["captured"]):
    torch.manual_seed(seed)
    batches = torch.randn(2, 64, 32, device="cuda")
    x.copy_(batches[rank])
    graph.replay()
    found = torch.cat([one.flatten() for one in gradients]).clone()
    ends = []
    for batch in batches:
        step(plain, batch)
        ends.append(torch.cat([p.grad.flatten() for p in plain.parameters()]))
    wanted = sum(ends) / 2
    told["right"] += ((found - wanted).norm() / wanted.norm() < 1e-3).item()
print(json.dumps(told), flush=True)
torch.cuda.synchronize()
os._exit(0)  # a failed capture may leave NCCL unable to end
"""

# %%
# Each case has two processes of its own, since a failed capture spoils them.


def run(warm_up, place):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    shared = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "WORLD_SIZE": "2"}
    command = [sys.executable, "-c", PROGRAM, str(warm_up), place]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    ranks = [
        subprocess.Popen(command, env={**os.environ, **shared, "RANK": rank}, **pipes)
        for rank in "01"
    ]
    try:
        one, other = [json.loads(rank.communicate(timeout=60)[0]) for rank in ranks]
    finally:
        for rank in ranks:
            rank.kill()
    return {
        "case": f"{warm_up} steps, {place} stream",
        "captured": one["captured"] and other["captured"],
        "right": min(one["right"], other["right"]),
        "says": one["says"],
    }


CASES = ((11, "side"), (10, "side"), (3, "side"), (11, "default"))
rows = [run(*case) for case in CASES]
print(*rows, sep="\n")
measured = {"replays": 10, "by_case": {"table": rows}}
