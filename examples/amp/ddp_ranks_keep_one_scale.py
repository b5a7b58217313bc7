"""
DDP ranks keep one scale
========================

Does mixed precision change with ``DistributedDataParallel`` and one GPU per process? It does not:
each process has its own autocast and its own scaler. An overflow on one rank reaches every rank
with the gradients, so all of them skip the step and lower their scale.
"""

# sphinx_gallery_evidence = {"gpus": 2, "timeout": 120}
# sphinx_gallery_quiet = "nothing"
import json
import os
import socket
import subprocess
import sys

# Below: a program that runs once for each GPU, with the variables that ``torchrun`` sets.

PROGRAM = """
import json, os
import torch
import torch.distributed as dist
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook
from torch.nn.functional import mse_loss

found = torch.accelerator.current_accelerator(check_available=True)
rank = int(os.environ["RANK"])
device = torch.device("cuda", rank) if found else torch.device("cpu")
if found:
    torch.cuda.set_device(rank)
dist.init_process_group("nccl" if found else "gloo")

STEPS, BAD_STEP, RATE = 20, 10, 0.05
outputs, buckets, finite, scales, stepped = [], [], [], [], []
def start():
    torch.manual_seed(0)
    make = torch.nn.Linear
    return torch.nn.Sequential(make(32, 64), torch.nn.Tanh(), make(64, 1)).to(device)
def batch(step, of_rank):
    torch.manual_seed(100 * step + of_rank)
    x = torch.randn(64, 32)
    if step == BAD_STEP and of_rank == 1:
        x[0, 0] = 1e5  # beyond the range of FP16
    return x.to(device), x.sum(1, keepdim=True).sin().to(device)
def weights(model):
    return torch.nn.utils.parameters_to_vector(model.parameters()).detach().double()
"""

# %%
# Each rank trains on its own batches. A hook sees the gradients before they are averaged.

PROGRAM += """
def hook(state, bucket):
    buckets.append(str(bucket.buffer().dtype))
    finite.append(bucket.buffer().isfinite().all().item())
    return allreduce_hook(state, bucket)

model = torch.nn.parallel.DistributedDataParallel(start())
model.register_comm_hook(None, hook)
optimizer = torch.optim.SGD(model.parameters(), RATE)
scaler = torch.amp.GradScaler(device.type, 1024.0, growth_interval=5)
for step in range(STEPS):
    x, target = batch(step, rank)
    before = weights(model)
    optimizer.zero_grad()
    with torch.autocast(device.type, torch.float16):
        loss = mse_loss(output := model(x), target)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    outputs.append(str(output.dtype))
    scales.append(scaler.get_scale())
    stepped.append(not torch.equal(before, weights(model)))
"""

# %%
# The reference is one process with both batches in FP64, without the step that was skipped.

PROGRAM += """
reference, begin = start().double(), weights(start())
optimizer = torch.optim.SGD(reference.parameters(), RATE)
for step in (step for step in range(STEPS) if stepped[step]):
    x, target = (torch.cat(both).double() for both in zip(batch(step, 0), batch(step, 1)))
    optimizer.zero_grad()
    mse_loss(reference(x), target).backward()
    optimizer.step()
wanted = weights(reference)
error = (weights(model) - wanted).norm() / (wanted - begin).norm()
told = {"outputs": outputs, "buckets": buckets, "finite": finite, "scales": scales}
told |= {"stepped": stepped, "weights": weights(model).tolist(), "error": error.item()}
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
# What was the same on both ranks, and whose gradients overflowed before they were averaged?

measured = {
    "steps": len(one["stepped"]),
    "stepped": sum(one["stepped"]),
    "first_overflowed": one["finite"].count(False),
    "second_overflowed": other["finite"].count(False),
    "stepped_alike": one["stepped"] == other["stepped"],
    "scales_alike": one["scales"] == other["scales"],
    "weights_alike": one["weights"] == other["weights"],
    "output_types": " ".join({*one["outputs"], *other["outputs"]}),
    "bucket_types": " ".join({*one["buckets"], *other["buckets"]}),
    "error_share": max(one["error"], other["error"]),
}
print(one["scales"], measured)
