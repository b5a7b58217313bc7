"""
DDP gains in large models
=========================

Are two GPUs faster than one? ``DistributedDataParallel`` gains where a step computes for long; in
short steps, its own timing of its first steps counts here, too. ``DataParallel`` copies the model
in every step, and launches everything from one process: in a small model, it is slower than one.
"""

# sphinx_gallery_evidence = {"gpus": 2, "timeout": 180}
import json
import os
import socket
import subprocess
import sys

# %%
# This program runs once for each GPU. All ways train on the same batch, of which DDP gives each
# rank a half. The first rank takes the time, and also runs what needs one process; the other rank
# then waits on the host, so that its GPU is idle.

PROGRAM = """
import json, os, time
import torch
import torch.distributed as dist

rank = int(os.environ["RANK"])
device = torch.device("cuda", rank)
torch.cuda.set_device(device)
dist.init_process_group("nccl", device_id=device)
on_host = dist.new_group(backend="gloo")
ROWS, LAYERS, ROUNDS, STEPS = 2048, 8, 5, 2

def network(width):
    torch.manual_seed(0)
    layers = (torch.nn.Linear(width, width) for _ in range(LAYERS))
    return torch.nn.Sequential(*layers).to(device)

def trainer(model, x):
    optimizer = torch.optim.SGD(model.parameters(), 1e-3)
    def step():
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
    return step

def wait_for_all():
    for gpu in range(2 if rank == 0 else 0):
        torch.cuda.synchronize(gpu)
    torch.cuda.synchronize()
    dist.barrier(on_host)

def seconds(step):
    wait_for_all()
    begin = time.perf_counter()
    for _ in range(STEPS):
        step()
    for gpu in {rank, 0, 1} if rank == 0 else {rank}:
        torch.cuda.synchronize(gpu)
    return (time.perf_counter() - begin) / STEPS
"""

# %%
# The ways take turns, round by round. The last one only averages as many numbers as the model has.

PROGRAM += """
def times(width):
    x = torch.randn(ROWS, width, device=device)
    wrapped = torch.nn.parallel.DistributedDataParallel(network(width))
    gradients = torch.zeros(LAYERS * (width + 1) * width, device=device)
    ways = {"ddp": trainer(wrapped, x.chunk(2)[rank])}
    ways["all_reduce"] = lambda: dist.all_reduce(gradients)
    if rank == 0:
        ways["one"] = trainer(network(width), x)
        ways["half"] = trainer(network(width), x.chunk(2)[0])
        ways["dp"] = trainer(torch.nn.DataParallel(network(width)), x)
    else:
        ways |= dict.fromkeys(("one", "half", "dp"), lambda: None)
    for warm_up in range(2):
        for step in ways.values():
            seconds(step)
    taken = {way: [] for way in ways}
    for _ in range(ROUNDS):
        for way, step in ways.items():
            taken[way].append(seconds(step))
    return taken

warm_until = time.perf_counter() + 0.5  # an idle GPU has a low clock
while time.perf_counter() < warm_until:
    network(4096)(torch.randn(ROWS, 4096, device=device))
    torch.cuda.synchronize()
print(json.dumps({width: times(width) for width in (256, 1024, 4096)}))
wait_for_all()
dist.destroy_process_group()
"""

with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = str(free.getsockname()[1])
shared = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "WORLD_SIZE": "2"}
shared["NCCL_NVLS_ENABLE"] = "0"  # no multicast over NVLink
command, pipe = [sys.executable, "-c", PROGRAM], subprocess.PIPE
places = [{**os.environ, **shared, "RANK": rank} for rank in "01"]
ranks = [subprocess.Popen(command, env=e, stdout=pipe, text=True) for e in places]
one, other = [json.loads(rank.communicate(timeout=120)[0]) for rank in ranks]

# %%
# Times of a step, and how many times as fast as one GPU each way was.

rows = []
for width, taken in one.items():
    row = {"width": int(width)}
    row |= {f"{way}_s": {"samples": samples} for way, samples in taken.items()}
    for way in ("ddp", "dp"):
        faster = [alone / both for alone, both in zip(taken["one"], taken[way])]
        row[f"{way}_speedup"] = {"samples": faster}
    rows.append(row)
    print(width, {way: f"{min(samples):.1e} s" for way, samples in taken.items()})
measured = {"by_width": {"table": rows}}
