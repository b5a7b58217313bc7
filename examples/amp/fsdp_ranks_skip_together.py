"""
FSDP ranks skip together
========================

Does ``GradScaler`` work with ``fully_shard``, where each rank holds only a part of each gradient?
It does: an infinity in the part of one rank makes all ranks skip. If the optimizer has the local
parts instead, each rank decides alone.
"""

# sphinx_gallery_evidence = {"gpus": 2, "timeout": 120}
# sphinx_gallery_quiet = "nothing"
import json
import os
import socket
import subprocess
import sys

# %%
# This program runs once for each GPU, with the variables that ``torchrun`` sets.

PROGRAM = """
import json, os
import torch
import torch.distributed as dist
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard

found = torch.accelerator.current_accelerator(check_available=True)
rank = int(os.environ["RANK"])
device = torch.device("cuda", rank) if found else torch.device("cpu")
if found:
    torch.cuda.set_device(rank)
dist.init_process_group("nccl" if found else "gloo")
mesh = dist.init_device_mesh(device.type, (2,))

SCALE, TRIES, SMALL = 1024.0, 10, 1e-6
FP16 = MixedPrecisionPolicy(torch.float16, torch.float32)

def local_parts(model):
    for parameter in model.parameters():
        part = torch.nn.Parameter(parameter.to_local().detach())
        part.grad = parameter.grad.to_local()
        yield part
"""

# %%
# After the backward pass, the part of the first rank is made infinite. And how many gradients of
# a small loss are zero, without and with a scale?

PROGRAM += """
def attempt(sharded):
    model = fully_shard(torch.nn.Linear(32, 64).to(device), mesh=mesh, mp_policy=FP16)
    scaler = torch.amp.GradScaler(device.type, SCALE)
    loss = model(torch.randn(64, 32, device=device)).float().square().mean()
    scaler.scale(loss).backward()
    if rank == 0:
        model.weight.grad.to_local().fill_(torch.inf)
    before = model.weight.to_local().detach().clone()
    optimizer = torch.optim.SGD(model.parameters() if sharded else local_parts(model), 0.1)
    scaler.step(optimizer)
    scaler.update()
    stepped = not torch.equal(before, model.weight.to_local())
    return stepped, scaler.get_scale() < SCALE

def counts(sharded):
    torch.manual_seed(rank)
    return [sum(each) for each in zip(*(attempt(sharded) for _ in range(TRIES)))]

def zeros(scale):
    torch.manual_seed(0)
    model = fully_shard(torch.nn.Linear(32, 64).to(device), mesh=mesh, mp_policy=FP16)
    loss = SMALL * model(torch.randn(64, 32, device=device)).float().square().mean()
    torch.amp.GradScaler(device.type, scale).scale(loss).backward()
    return (model.weight.grad.to_local() == 0).double().mean().item()

told = [TRIES, counts(True), counts(False), zeros(1.0), zeros(2.0**16)]
print(json.dumps(told))
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

# %%
# In how many tries did each rank step, and lower its scale?

rows = [
    {
        "optimizer_has": name,
        "first_stepped": one[i][0],
        "second_stepped": other[i][0],
        "first_scale_fell": one[i][1],
        "second_scale_fell": other[i][1],
    }
    for i, name in enumerate(("shards", "local parts"), start=1)
]
print(*rows, sep="\n")

measured = {
    "tries": one[0],
    "by_parameters": {"table": rows},
    "zero_without_scale_share": one[3],
    "zero_with_scale_share": one[4],
}
print(f"zero: {one[3]:.0%} of the gradients without a scale, {one[4]:.0%} with one")
