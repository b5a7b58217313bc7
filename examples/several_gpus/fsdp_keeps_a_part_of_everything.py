"""
FSDP keeps a part of everything
===============================

What does ``fully_shard`` save? Each rank keeps its part of the parameters, of the gradients and of
the optimizer's state, where DDP keeps all of them on every rank. During a step the layers are put
together one by one, if each of them was sharded by itself.
"""

# sphinx_gallery_evidence = {"gpus": 2, "timeout": 120}
import json
import os
import socket
import subprocess
import sys

# %%
# This program runs once for each GPU, with the variables that ``torchrun`` sets.

PROGRAM = """
import gc, json, os
import torch
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel

found = torch.accelerator.current_accelerator(check_available=True)
rank = int(os.environ["RANK"])
device = torch.device("cuda", rank) if found else torch.device("cpu")
if found:
    torch.cuda.set_device(rank)
dist.init_process_group("nccl" if found else "gloo")
mesh = dist.init_device_mesh(device.type, (2,))
WIDTH, LAYERS = 2048, 8  # 16 MiB a layer

def layers():
    kind = {"bias": False, "device": device}
    return torch.nn.Sequential(*(torch.nn.Linear(WIDTH, WIDTH, **kind) for _ in range(LAYERS)))

def sharded(each=True, reshard=None):
    model = layers()
    for layer in model if each else ():
        fully_shard(layer, mesh=mesh, reshard_after_forward=reshard)
    return fully_shard(model, mesh=mesh, reshard_after_forward=reshard)

def here(tensors):
    parts = (t.to_local() if hasattr(t, "to_local") else t for t in tensors)
    return sum(part.nbytes for part in parts)
"""

# %%
# Bytes of each kind after three steps with Adam, and the most that was allocated during the third.
# The batch is small, so that activations are as well.

PROGRAM += """
def bytes_of(make):
    gc.collect()  # what the way before left
    begin = torch.cuda.memory_allocated() if found else 0
    model = make()
    optimizer = torch.optim.Adam(model.parameters())
    x = torch.randn(16, WIDTH, device=device)
    for step in range(3):
        if found:
            torch.cuda.reset_peak_memory_stats()
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
    own = list(model.parameters())
    state = [t for each in optimizer.state.values() for t in each.values() if t.dim()]
    row = {"parameter_bytes": here(own), "gradient_bytes": here(p.grad for p in own)}
    peak = torch.cuda.max_memory_allocated() - begin if found else 0
    return row | {"state_bytes": here(state), "peak_bytes": peak}

ways = {
    "DDP": lambda: DistributedDataParallel(layers()),
    "FSDP": sharded,
    "FSDP, kept after forward": lambda: sharded(reshard=False),
    "FSDP, as a whole": lambda: sharded(each=False),
}
rows = [{"way": way, **bytes_of(make)} for way, make in ways.items()]
print(json.dumps(rows))
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
one, other = [json.loads(rank.communicate(timeout=90)[0]) for rank in ranks]
print(*one, sep="\n")

# What each rank keeps has to be the same on both; the peak is that of the first.
kept = [[{**row, "peak_bytes": 0} for row in rank] for rank in (one, other)]
measured = {"ranks_alike": kept[0] == kept[1], "by_way": {"table": one}}
