"""
Every way gives the same gradients
==================================

Do two GPUs train the same model as one? ``DistributedDataParallel``, ``DataParallel`` and
``fully_shard`` give the gradients that one GPU has for the whole batch, if the loss is a mean. A
sum comes out at half, and batch normalisation sees half a batch, unless it is synchronised.
"""

# sphinx_gallery_evidence = {"gpus": 2, "timeout": 120}
import json
import os
import socket
import subprocess
import sys

# %%
# This program runs once for each GPU. The first rank also computes on the whole batch, alone, in
# FP64 and with ``DataParallel``, which the other rank leaves alone.

PROGRAM = """
import copy, json, os, threading
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
on_host = dist.new_group(backend="gloo")
places = set()

class Noted(torch.nn.Linear):
    def forward(self, x):
        places.add((os.getpid(), threading.current_thread().name, str(x.device)))
        return super().forward(x)

torch.manual_seed(0)
x = torch.randn(64, 32, device=device)
half = x.chunk(2)[rank]
plain = torch.nn.Sequential(Noted(32, 64), torch.nn.Tanh(), torch.nn.Linear(64, 1)).to(device)
norm = copy.deepcopy(plain)
norm.insert(1, torch.nn.BatchNorm1d(64).to(device))
synchronised = torch.nn.SyncBatchNorm.convert_sync_batchnorm(copy.deepcopy(norm))
"""

# %%
# What is compared: the output of this rank's half of the batch, and all gradients. Where threads
# and processes ran the first layer is noted as well.

PROGRAM += """
def full(tensor):
    return tensor.full_tensor() if hasattr(tensor, "full_tensor") else tensor

def taken(model, batch, reduced=torch.mean):
    places.clear()
    output = model(batch)
    reduced(output.square()).backward()
    grads = [full(p.grad).double().flatten() for p in model.parameters()]
    return output.detach().double(), torch.cat(grads)

def error(one, other):
    return ((one - other).norm() / other.norm()).item()

rows, where = [], {}
def compare(case, wrapped, model, mine=half, reduced=torch.mean, wanted=torch.mean):
    output, gradient = taken(wrapped, mine, reduced)
    where[case] = list(places)
    exact_output, exact = taken(copy.deepcopy(model).double(), x.double(), wanted)
    row = {"case": case, "gradient_error_share": error(gradient, exact)}
    row["gradient_ratio"] = round((gradient.norm() / exact.norm()).item(), 3)
    part = exact_output if mine is x else exact_output.chunk(2)[rank]
    rows.append(row | {"output_error_share": error(output, part)})

ddp = lambda model: DistributedDataParallel(copy.deepcopy(model))
compare("DDP", ddp(plain), plain)
compare("FSDP", fully_shard(copy.deepcopy(plain), mesh=mesh), plain)
compare("DDP, sum", ddp(plain), plain, reduced=torch.sum, wanted=torch.sum)
doubled = lambda loss: 2 * loss.sum()
compare("DDP, doubled sum", ddp(plain), plain, reduced=doubled, wanted=torch.sum)
compare("DDP, BatchNorm", ddp(norm), norm)
compare("DDP, SyncBatchNorm", ddp(synchronised), norm)
if rank == 0:  # it splits the batch by itself
    compare("DataParallel", torch.nn.DataParallel(copy.deepcopy(plain)), plain, mine=x)
print(json.dumps([rows, where]))
dist.barrier(on_host)
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
print(*one[0], sep="\n")

# %%
# The rows of the first rank, and in how many processes and threads the first layer ran.

ddp, replicas = one[1]["DDP"] + other[1]["DDP"], one[1]["DataParallel"]
measured = {
    "by_case": {"table": one[0]},
    "second_error_share": max(r["gradient_error_share"] for r in other[0][:2]),
    "ddp_processes": len({process for process, _, _ in ddp}),
    "ddp_gpus": len({gpu for _, _, gpu in ddp}),
    "dp_processes": len({process for process, _, _ in replicas}),
    "dp_threads": len({thread for _, thread, _ in replicas}),
    "dp_gpus": len({gpu for _, _, gpu in replicas}),
}
