"""
Some settings change the time of DDP
====================================

Which setting makes a step with ``DistributedDataParallel`` faster? Where the sum of the gradients
is long, those that send less: a hook that sends BF16, and ``no_sync()`` while gradients are
accumulated. Where the model has many small layers, looking for unused parameters costs time.
"""

# sphinx_gallery_evidence = {"gpus": 2, "timeout": 120}
import json
import os
import socket
import subprocess
import sys

# %%
# This program runs once for each GPU. The gradients of the wide model take long to send; the deep
# one has many small layers, which keep the host busy.

PROGRAM = """
import json, os, random, time
from contextlib import nullcontext
import torch
import torch.distributed as dist
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import bf16_compress_hook
from torch.nn.parallel import DistributedDataParallel

rank = int(os.environ["RANK"])
torch.cuda.set_device(device := torch.device("cuda", rank))
dist.init_process_group("nccl", device_id=device)
on_host = dist.new_group(backend="gloo")
MODELS = {"wide": (8, 4096, 1024), "deep": (64, 256, 64)}  # layers, width, rows of a rank
STEPS, WARM_UP, ROUNDS, BATCHES = 4, 3, 7, 4  # the last of them are accumulated
SETTINGS = {
    "as it is": {},
    "bucket views": {"gradient_as_bucket_view": True},
    "static graph": {"static_graph": True},
    "unused parameters looked for": {"find_unused_parameters": True},
    "buckets of 1 MiB": {"bucket_cap_mb": 1},
    "one bucket": {"bucket_cap_mb": 1000},
    "BF16 hook": {},
}

def network(name):
    layers, width, _ = MODELS[name]
    torch.manual_seed(0)
    each = (torch.nn.Linear(width, width, device=device) for _ in range(layers))
    return torch.nn.Sequential(*each)

def wrapped(name, setting):
    model = DistributedDataParallel(network(name), **SETTINGS[setting])
    model._set_ddp_runtime_logging_sample_rate(10**6)  # by default, each hundredth
    if setting == "BF16 hook":
        model.register_comm_hook(None, bf16_compress_hook)
    return model
"""

# %%
# A step of four accumulated batches sends their gradients once, or each time. The ways take turns,
# in another order in each round; DDP logs its first ten steps, which are past by then.

PROGRAM += """
def passes(model, x, saves):
    model.zero_grad()
    for count, part in enumerate(x, 1):
        with model.no_sync() if saves and count < len(x) else nullcontext():
            with torch.autocast("cuda", torch.bfloat16):
                loss = model(part).float().square().mean() / len(x)
            loss.backward()

def seconds(step):
    torch.cuda.synchronize()
    dist.barrier(on_host)
    begin = time.perf_counter()
    for _ in range(STEPS):
        step()
    torch.cuda.synchronize()
    return (time.perf_counter() - begin) / STEPS

def times(name):
    _, width, rows = MODELS[name]
    torch.manual_seed(rank)
    x = torch.randn(BATCHES, rows, width, device=device)
    models = {setting: wrapped(name, setting) for setting in SETTINGS}
    way = lambda model, batches, saves: lambda: passes(model, x[:batches], saves)
    ways = {setting: way(model, 1, False) for setting, model in models.items()}
    usual = models["as it is"]
    ways |= {"each sent": way(usual, BATCHES, False), "no_sync": way(usual, BATCHES, True)}
    taken, order = {way: [] for way in ways}, random.Random(0)  # as on the other rank
    for _ in range(WARM_UP + ROUNDS):
        for way in order.sample(list(ways), len(ways)):
            taken[way].append(seconds(ways[way]))
    return {way: samples[WARM_UP:] for way, samples in taken.items()}

print(json.dumps({name: times(name) for name in MODELS}))
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
# The time of each way over that of DDP as it is, and of no_sync() over sending each time.

rows = []
for model, taken in first.items():
    for way, samples in taken.items():
        usual = taken["each sent" if way == "no_sync" else "as it is"]
        ratios = [one / other for one, other in zip(samples, usual)]
        row = {"step_s": {"samples": samples}, "ratio": {"samples": ratios}}
        rows.append({"case": f"{model}, {way}", **row})
        print(f"{model}, {way}: {min(samples):.1e} s, {min(ratios):.2f}")
measured = {"by_case": {"table": rows}}
