"""
DDP gains in large models
=========================

Are two GPUs faster than one? ``DistributedDataParallel`` gains where a step computes for long; in
short steps, most is overhead, which each rank has as well. ``DataParallel`` copies the model in
every step, and launches everything from one process: in a small model, it is slower than one GPU.
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
# then waits on the host, so that its GPU is idle. In "both", each trains on its half, without DDP.

PROGRAM = """
import json, os, random, time
import torch
import torch.distributed as dist

rank = int(os.environ["RANK"])
device = torch.device("cuda", rank)
torch.cuda.set_device(device)
dist.init_process_group("nccl", device_id=device)
on_host = dist.new_group(backend="gloo")
ROWS, LAYERS, WARM_UP, ROUNDS = 2048, 8, 3, 5
STEPS = {256: 10, 1024: 10, 4096: 4}  # in a sample, so that the host can run ahead

def network(width):
    torch.manual_seed(0)
    layers = (torch.nn.Linear(width, width, device=device) for _ in range(LAYERS))
    return torch.nn.Sequential(*layers)

def trainer(model, x):
    optimizer = torch.optim.SGD(model.parameters(), 1e-3)
    def step():
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
    return step

def wait_for_gpus():
    for gpu in range(rank, 2):  # DataParallel uses both
        torch.cuda.synchronize(gpu)

def seconds(step, steps):
    wait_for_gpus()
    dist.barrier(on_host)
    begin = time.perf_counter()
    for _ in range(steps):
        step()
    wait_for_gpus()
    return (time.perf_counter() - begin) / steps
"""

# %%
# The ways take turns, in another order in each round. One of them only sums as many numbers as the
# model has. DDP logs the times of its first ten steps, which are past before the rounds begin.

PROGRAM += """
def times(width):
    x = torch.randn(ROWS, width, device=device)
    wrapped = torch.nn.parallel.DistributedDataParallel(network(width))
    wrapped._set_ddp_runtime_logging_sample_rate(10**6)  # by default, each hundredth
    gradients = torch.zeros(LAYERS * (width + 1) * width, device=device)
    ways = dict.fromkeys(("one", "half", "dp"), lambda: None)
    ways["ddp"] = trainer(wrapped, x.chunk(2)[rank])
    ways["both"] = trainer(network(width), x.chunk(2)[rank])  # without DDP, at the same time
    ways["all_reduce"] = lambda: dist.all_reduce(gradients)
    if rank == 0:
        ways["one"] = trainer(network(width), x)
        ways["half"] = ways["both"]  # while the other rank waits
        ways["dp"] = trainer(torch.nn.DataParallel(network(width)), x)
    taken, order = {way: [] for way in ways}, random.Random(width)  # as on the other rank
    for _ in range(WARM_UP + ROUNDS):
        for way in order.sample(list(ways), len(ways)):
            taken[way].append(seconds(ways[way], STEPS[width]))
    return {way: samples[WARM_UP:] for way, samples in taken.items()}

warm, batch = network(4096), torch.randn(ROWS, 4096, device=device)
warm_until = time.perf_counter() + 0.5  # an idle GPU has a low clock
while time.perf_counter() < warm_until:
    warm(batch)
    wait_for_gpus()
print(json.dumps({width: times(width) for width in STEPS}))
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
first, second = [json.loads(rank.communicate(timeout=120)[0]) for rank in ranks]

# %%
# Times of a step; and, round by round, how many times as fast as one GPU each way was, what half of
# the batch takes on one GPU, what it takes while the other GPU has its half, and what DDP adds.

RATIOS = [("ddp_speedup", "one", "ddp"), ("dp_speedup", "one", "dp")]
RATIOS += [("half_ratio", "half", "one"), ("ddp_over_half_ratio", "ddp", "half")]
RATIOS += [("both_ratio", "both", "half"), ("ddp_over_both_ratio", "ddp", "both")]
rows = []
for width, taken in first.items():
    taken["both"] = [*map(max, taken["both"], second[width]["both"])]  # the slower rank
    row = {f"{way}_s": samples for way, samples in taken.items()}
    for name, way, other in RATIOS:
        row[name] = [above / below for above, below in zip(taken[way], taken[other])]
    rows.append({"width": int(width), **{n: {"samples": s} for n, s in row.items()}})
    print(width, {way: f"{min(samples):.1e} s" for way, samples in taken.items()})
measured = {"by_width": {"table": rows}}
