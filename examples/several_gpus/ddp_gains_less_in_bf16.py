"""
DDP gains less in BF16
======================

How large must a batch be, so that two GPUs are faster than one? In BF16, layers compute many times
as fast as in FP32, and the sum of the gradients takes as long as before. More rows for each GPU
make up for it, and so do gradients that are sent in BF16.
"""

# sphinx_gallery_evidence = {"gpus": 2, "timeout": 120}
import json
import os
import socket
import subprocess
import sys

# %%
# This program runs once for each GPU. All ways train on the same batch, of which DDP gives each
# rank a half. The model is in FP32, and so are its gradients; autocast computes in BF16.

PROGRAM = """
import json, os, random, time
import torch
import torch.distributed as dist
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import bf16_compress_hook
from torch.nn.parallel import DistributedDataParallel

rank = int(os.environ["RANK"])
device = torch.device("cuda", rank)
torch.cuda.set_device(device)
dist.init_process_group("nccl", device_id=device)
on_host = dist.new_group(backend="gloo")
LAYERS, STEPS, WARM_UP, ROUNDS = 8, 4, 3, 5  # of steps in a sample, and of samples

def network(width):
    torch.manual_seed(0)
    layers = (torch.nn.Linear(width, width, device=device) for _ in range(LAYERS))
    return torch.nn.Sequential(*layers)

def wrapped(width, hook=None):
    model = DistributedDataParallel(network(width))
    model._set_ddp_runtime_logging_sample_rate(10**6)  # by default, each hundredth
    if hook:
        model.register_comm_hook(None, hook)
    return model

def trainer(model, x, low):
    optimizer = torch.optim.SGD(model.parameters(), 1e-3)
    def step():
        optimizer.zero_grad()
        with torch.autocast("cuda", torch.bfloat16, enabled=low):
            loss = model(x).float().square().mean()
        loss.backward()
        optimizer.step()
    return step

def seconds(step):
    torch.cuda.synchronize()
    dist.barrier(on_host)
    begin = time.perf_counter()
    for _ in range(STEPS):
        step()
    torch.cuda.synchronize()
    return (time.perf_counter() - begin) / STEPS
"""

# %%
# The ways take turns, in another order in each round. The other rank waits while the first one
# trains alone. DDP logs the times of its first ten steps, which are past before the rounds begin.

PROGRAM += """
def times(width, rows, low):
    x = torch.randn(rows, width, device=device)
    half = x.chunk(2)[rank]
    gradients = torch.zeros(LAYERS * (width + 1) * width, device=device)
    alone = trainer(network(width), x, low) if rank == 0 else lambda: None
    ways = {"one": alone, "ddp": trainer(wrapped(width), half, low)}
    ways["hook"] = trainer(wrapped(width, bf16_compress_hook), half, low)
    ways["sum"] = lambda: dist.all_reduce(gradients)
    taken, order = {way: [] for way in ways}, random.Random(rows)  # as on the other rank
    for _ in range(WARM_UP + ROUNDS):
        for way in order.sample(list(ways), len(ways)):
            taken[way].append(seconds(ways[way]))
    return {way: samples[WARM_UP:] for way, samples in taken.items()}

CASES = [(4096, 2048, False)]  # width, rows, BF16
CASES += [(4096, rows, True) for rows in (2048, 8192, 32768)]
CASES += [(1024, rows, True) for rows in (2048, 32768, 131072)]
warm_until = time.perf_counter() + 0.5  # an idle GPU has a low clock
warm, batch = network(4096), torch.randn(2048, 4096, device=device)
while time.perf_counter() < warm_until:
    warm(batch)
    torch.cuda.synchronize()
print(json.dumps([[case, times(*case)] for case in CASES]))
dist.barrier(on_host)
dist.destroy_process_group()
"""

shared = {"MASTER_ADDR": "127.0.0.1", "WORLD_SIZE": "2"}
shared["NCCL_NVLS_ENABLE"] = "0"  # no multicast over NVLink
with socket.create_server(("127.0.0.1", 0)) as free:
    shared["MASTER_PORT"] = str(free.getsockname()[1])
command, pipe = [sys.executable, "-c", PROGRAM], subprocess.PIPE
places = [{**os.environ, **shared, "RANK": rank} for rank in "01"]
ranks = [subprocess.Popen(command, env=e, stdout=pipe, text=True) for e in places]
first, _ = [json.loads(rank.communicate(timeout=100)[0]) for rank in ranks]

# %%
# Times of a step, and how many times as fast as one GPU two are, round by round.

rows = []
for (width, batch, low), taken in first:
    row = {"case": f"{'BF16' if low else 'FP32'}, {width} wide, {batch} rows"}
    row |= {f"{way}_s": {"samples": samples} for way, samples in taken.items()}
    for way in ("ddp", "hook"):
        ratios = [one / two for one, two in zip(taken["one"], taken[way])]
        row[f"{way}_speedup"] = {"samples": ratios}
    rows.append(row)
    print(row["case"], {way: f"{min(samples):.1e} s" for way, samples in taken.items()})
measured = {"by_case": {"table": rows}}
