"""
FSDP saves its parts or a whole
===============================

How do I save a model that is in parts on two GPUs? Each rank's own ``state_dict()`` has a part of
each tensor. A whole one is gathered on the first rank, and loads without a group; or each rank
writes its part, and any number of ranks reads them.
"""

# sphinx_gallery_evidence = {"gpus": 2, "timeout": 120}
import json
import os
import socket
import subprocess
import sys
import tempfile

# %%
# This program runs once for each GPU, with the variables that ``torchrun`` sets. Each rank has half
# of each batch; one GPU has both, as a control.

PROGRAM = """
import json, os, sys
import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
import torch.distributed.checkpoint.state_dict as dicts
from torch.distributed.fsdp import fully_shard

rank, folder = int(os.environ["RANK"]), sys.argv[1]
device = torch.device("cuda", rank)
torch.cuda.set_device(device)
dist.init_process_group("nccl")
mesh = dist.init_device_mesh(device.type, (2,))

def network(seed=0):
    torch.manual_seed(seed)
    each = torch.nn.Linear(64, 128), torch.nn.Tanh(), torch.nn.Linear(128, 64)
    return torch.nn.Sequential(*each).to(device)

def sharded(seed=0):
    model = network(seed)
    for layer in (model[0], model[2], model):
        fully_shard(layer, mesh=mesh)
    return model, torch.optim.AdamW(model.parameters(), fused=True)

torch.manual_seed(1)
batches = torch.randn(4, 32, 64).to(device)
def train(model, optimizer, batches, parts=2):
    for batch in batches:
        optimizer.zero_grad()
        model(batch.chunk(parts)[rank % parts]).square().mean().backward()
        optimizer.step()
    return model

def weights(model):
    whole = (p.full_tensor() if hasattr(p, "full_tensor") else p for p in model.parameters())
    return torch.cat([p.detach().flatten() for p in whole])
"""

# %%
# After two steps, everything is written; what is read has to end where the run itself ends.

PROGRAM += """
model, optimizer = sharded()
train(model, optimizer, batches[:2])
alone = network()
wanted = weights(train(alone, torch.optim.AdamW(alone.parameters()), batches[:2], parts=1))
error = (weights(model) - wanted).abs().max() / wanted.abs().max()

options = dicts.StateDictOptions(full_state_dict=True, cpu_offload=True)
whole = dicts.get_model_state_dict(model, options=options)
if rank == 0:
    torch.save(whole, f"{folder}/whole.pt")
parts = dict(zip(("model", "optimizer"), dicts.get_state_dict(model, optimizer)))
dcp.save(parts, checkpoint_id=f"{folder}/parts")
own = model.state_dict()["0.weight"]
row = {"kind": type(own).__name__, "rows": own.shape[0], "own_rows": own.to_local().shape[0]}
row["gathered"] = len(whole)

resumed, its_optimizer = sharded(seed=2)
parts = dict(zip(("model", "optimizer"), dicts.get_state_dict(resumed, its_optimizer)))
dcp.load(parts, checkpoint_id=f"{folder}/parts")
kind = {"model_state_dict": parts["model"], "optim_state_dict": parts["optimizer"]}
dicts.set_state_dict(resumed, its_optimizer, **kind)
row["read_alike"] = torch.equal(weights(resumed), weights(model))
both = ((model, optimizer), (resumed, its_optimizer))
row["resumed_alike"] = torch.equal(*(weights(train(*each, batches[2:])) for each in both))

filled, _ = sharded(seed=2)
options = dicts.StateDictOptions(full_state_dict=True, broadcast_from_rank0=True)
dicts.set_model_state_dict(filled, whole, options=options)
ended = weights(filled)
dist.destroy_process_group()
"""

# %%
# Without a group, one process reads both.

PROGRAM += """
if rank == 0:
    saved = torch.load(f"{folder}/whole.pt")
    read = {"model": network(seed=2).state_dict()}
    dcp.load(read, checkpoint_id=f"{folder}/parts")
    as_one = lambda tensors: torch.cat([t.flatten().cpu() for t in tensors.values()])
    alike = [torch.equal(as_one(saved), t) for t in (ended.cpu(), as_one(read["model"]))]
    row |= dict(zip(("error", "whole", "parts"), (error.item(), *alike)))
print(json.dumps(row))
"""
folder = tempfile.mkdtemp()
shared = {"MASTER_ADDR": "127.0.0.1", "WORLD_SIZE": "2", "NCCL_NVLS_ENABLE": "0"}
with socket.create_server(("127.0.0.1", 0)) as free:
    shared["MASTER_PORT"] = str(free.getsockname()[1])
command, pipe = [sys.executable, "-c", PROGRAM, folder], subprocess.PIPE
places = [{**os.environ, **shared, "RANK": rank} for rank in "01"]
ranks = [subprocess.Popen(command, env=e, stdout=pipe, text=True) for e in places]
one, other = [json.loads(rank.communicate(timeout=90)[0]) for rank in ranks]
measured = {f"{name}_alike": one.pop(name) for name in ("whole", "parts")}
measured["follows_one_gpu"] = one.pop("error") < 1e-5
measured["by_rank"] = {"table": [{"rank": "first"} | one, {"rank": "second"} | other]}
print(measured)
