"""
The scaler refuses half a sharded model
=======================================

May ``fully_shard`` be applied to a part of a model alone? Not if one optimizer has all parameters
and steps through ``GradScaler``: it cannot check shards and ordinary gradients in one call. Shard
the whole model last; that takes the rest.
"""

# sphinx_gallery_evidence = {"timeout": 60}
# sphinx_gallery_quiet = "nothing"
import torch
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
backend = "nccl" if found else "gloo"
if found:
    torch.cuda.set_device(0)
dist.init_process_group(backend, store=dist.HashStore(), rank=0, world_size=1)
mesh = dist.init_device_mesh(device.type, (1,))

# %%
# One process is enough: a shard is then the whole parameter, but still a ``DTensor``.


def part(model):
    fully_shard(model[0], mesh=mesh)


def whole(model):
    fully_shard(model[0], mesh=mesh)
    fully_shard(model, mesh=mesh)


def step(shard, scaled=True, foreach=False):
    torch.manual_seed(0)
    layers = torch.nn.Linear(32, 64), torch.nn.Linear(64, 2)
    model = torch.nn.Sequential(*layers).to(device)
    shard(model)
    optimizer = torch.optim.SGD(model.parameters(), 0.1, foreach=foreach)
    scaler = torch.amp.GradScaler(device.type, 1024.0, enabled=scaled)
    with torch.autocast(device.type, torch.float16):
        loss = model(torch.randn(64, 32, device=device)).square().mean()
    scaler.scale(loss).backward()
    before = model[1].weight.detach().clone()
    try:
        scaler.step(optimizer)
    except RuntimeError as error:
        return error
    return not torch.equal(before, model[1].weight.detach())


# %%
# A part, the whole, and a part without a scaler: an error, or was a step taken? The optimizer
# takes one parameter after the other here. How is it with ``foreach``, the default on a GPU?

part_error = step(part)
whole_stepped = step(whole)
part_unscaled_stepped = step(part, scaled=False)
part_foreach_error = step(part, scaled=False, foreach=True)
dist.destroy_process_group()
print(part_error, whole_stepped, part_unscaled_stepped, part_foreach_error, sep="\n")

measured = {
    "part_error": part_error,
    "whole_stepped": whole_stepped,
    "part_unscaled_stepped": part_unscaled_stepped,
    "part_foreach_error": part_foreach_error,
}
