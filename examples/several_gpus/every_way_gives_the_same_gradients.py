"""
Every way gives the same gradients
==================================

Do two ranks train the same model as one? ``DistributedDataParallel`` and ``fully_shard`` give the
gradients that one process has for the whole batch, if the loss is a mean. A sum comes out at half,
and batch normalisation sees half a batch, unless it is synchronised.
"""

# sphinx_gallery_evidence = {"timeout": 120}
# sphinx_gallery_quiet = "nothing"
import json
import os
import socket
import subprocess
import sys

# %%
# This program runs once for each rank. With gloo, two ranks can share a GPU, which NCCL refuses.
# Each rank also computes on the whole batch, alone and in FP64. ``fully_shard`` has its tensors on
# the CPU.

PROGRAM = """
import copy, json, os
import torch
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel

found = torch.accelerator.current_accelerator(check_available=True)
rank = int(os.environ["RANK"])
device = torch.device("cuda", 0) if found else torch.device("cpu")
dist.init_process_group("gloo")
mesh = dist.init_device_mesh("cpu", (2,))

torch.manual_seed(0)
x = torch.randn(64, 32, device=device)
half = x.chunk(2)[rank]
layers = torch.nn.Linear(32, 64), torch.nn.Tanh(), torch.nn.Linear(64, 1)
plain = torch.nn.Sequential(*layers).to(device)
norm = copy.deepcopy(plain)
norm.insert(1, torch.nn.BatchNorm1d(64).to(device))
synchronised = torch.nn.SyncBatchNorm.convert_sync_batchnorm(copy.deepcopy(norm))
"""

# %%
# What is compared: the output of this rank's half of the batch, and all gradients.

PROGRAM += """
def full(tensor):
    return tensor.full_tensor() if hasattr(tensor, "full_tensor") else tensor

def taken(model, batch, reduced=torch.mean):
    output = model(batch)
    reduced(output.square()).backward()
    grads = [full(p.grad).double().flatten() for p in model.parameters()]
    return output.detach().double(), torch.cat(grads)

def error(one, other):
    return ((one - other).norm() / other.norm()).item()

rows = []
def compare(case, wrapped, model, mine=half, reduced=torch.mean, wanted=torch.mean):
    output, gradient = taken(wrapped, mine, reduced)
    exact_output, exact = taken(copy.deepcopy(model).double(), x.double(), wanted)
    output, gradient = output.to(device), gradient.to(device)
    row = {"case": case, "gradient_error_share": error(gradient, exact)}
    row["gradient_ratio"] = round((gradient.norm() / exact.norm()).item(), 3)
    rows.append(row | {"output_error_share": error(output, exact_output.chunk(2)[rank])})

ddp = lambda model: DistributedDataParallel(copy.deepcopy(model))
compare("DDP", ddp(plain), plain)
sharded = fully_shard(copy.deepcopy(plain).cpu(), mesh=mesh)
compare("FSDP", sharded, plain, mine=half.cpu())
compare("DDP, sum", ddp(plain), plain, reduced=torch.sum, wanted=torch.sum)
doubled = lambda loss: 2 * loss.sum()
compare("DDP, doubled sum", ddp(plain), plain, reduced=doubled, wanted=torch.sum)
compare("DDP, BatchNorm", ddp(norm), norm)
if found:
    compare("DDP, SyncBatchNorm", ddp(synchronised), norm)
print(json.dumps(rows))
dist.destroy_process_group()
"""

with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = str(free.getsockname()[1])
shared = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "WORLD_SIZE": "2"}
command, pipe = [sys.executable, "-c", PROGRAM], subprocess.PIPE
places = [{**os.environ, **shared, "RANK": rank} for rank in "01"]
ranks = [subprocess.Popen(command, env=e, stdout=pipe, text=True) for e in places]
one, other = [json.loads(rank.communicate(timeout=90)[0]) for rank in ranks]
print(*one, sep="\n")
measured = {
    "by_case": {"table": one},
    "second_error_share": max(row["gradient_error_share"] for row in other[:2]),
}
