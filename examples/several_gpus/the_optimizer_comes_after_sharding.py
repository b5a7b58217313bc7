"""
The optimizer comes after sharding
==================================

In which order are ``fully_shard`` and the optimizer called? The optimizer comes last: sharding
gives the model new parameters. An optimizer that was built before keeps the old ones, and its
steps change nothing. DDP keeps the parameters that it is given.
"""

# sphinx_gallery_evidence = {"expected_warnings": [".*deprecated"]}
# sphinx_gallery_quiet = "nothing"
import torch
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard

found = torch.accelerator.current_accelerator(check_available=True)
device, backend = (found, "nccl") if found else (torch.device("cpu"), "gloo")
dist.init_process_group(backend, store=dist.HashStore(), rank=0, world_size=1)

layers = (torch.nn.Linear(512, 512, device=device) for _ in range(4))
model = torch.nn.Sequential(*layers)
mesh = dist.init_device_mesh(device.type, (1,))  # a group of one rank
for layer in model:
    fully_shard(layer, mesh=mesh)  # each layer first
fully_shard(model, mesh=mesh)  # then the whole
optimizer = torch.optim.Adam(model.parameters())  # and the optimizer last

model(torch.randn(64, 512, device=device)).square().mean().backward()
optimizer.step()
print(type(model[0].weight).__name__, model[0].weight.grad.to_local().shape)

# %%
# Each try takes a step with a new model. Was the weight changed, and does the optimizer have the
# parameters that the model has?

TRIES = 10
WRAPS = {
    "FSDP": lambda model: fully_shard(model, mesh=mesh),
    "DDP": torch.nn.parallel.DistributedDataParallel,
}


def local(tensor):
    return tensor.to_local() if hasattr(tensor, "to_local") else tensor


def attempt(wrap, is_built_before):
    model = torch.nn.Linear(32, 32, device=device)
    if is_built_before:
        optimizer = torch.optim.SGD(model.parameters(), 0.1)
    wrapped = wrap(model)
    if not is_built_before:
        optimizer = torch.optim.SGD(model.parameters(), 0.1)
    old = local(model.weight).detach().clone()
    wrapped(torch.randn(16, 32, device=device)).square().mean().backward()
    optimizer.step()
    known = any(p is model.weight for p in optimizer.param_groups[0]["params"])
    return not torch.equal(old, local(model.weight)), known


rows = []
for way, wrap in WRAPS.items():
    for order, is_before in (("before", True), ("after", False)):
        changed, known = zip(*(attempt(wrap, is_before) for _ in range(TRIES)))
        row = {"case": f"{way}, {order}", "changed": sum(changed)}
        rows.append(row | {"known": sum(known)})
        print(rows[-1])
dist.destroy_process_group()

measured = {"tries": TRIES, "by_case": {"table": rows}}
