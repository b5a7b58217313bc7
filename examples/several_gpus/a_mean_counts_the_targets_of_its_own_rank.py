"""
A mean counts the targets of its own rank
=========================================

Does DDP give one GPU's gradients for a mean over padded targets? Not if a rank has more padding:
each rank divides by its own count. A sum, divided by the count of all ranks, is right.
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
# ``own_mean`` is what one would write on one GPU; ``mean_of_all`` is right on several.

PROGRAM = """
import copy, json, os
import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel

def own_mean(output, target, weight=None):
    return F.cross_entropy(output, target, weight, ignore_index=-100)

def mean_of_all(output, target, weight=None):
    loss = F.cross_entropy(output, target, weight, ignore_index=-100, reduction="sum")
    counts = target != -100
    total = counts.sum() if weight is None else weight[target[counts]].sum()
    dist.all_reduce(total)
    return dist.get_world_size() * loss / total
"""

# %%
# A sample is a sequence of eight targets, of which padded ones do not count. The tensors are made
# on the CPU, so that each GPU gets the same ones. ``fully_shard`` also runs there.

PROGRAM += """
found = torch.accelerator.current_accelerator(check_available=True)
rank = int(os.environ["RANK"])
device = torch.device("cuda", 0) if found else torch.device("cpu")
dist.init_process_group("gloo")
mesh = dist.init_device_mesh("cpu", (2,))

torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.Tanh(), torch.nn.Linear(32, 10))
x, target = torch.randn(32, 8, 16), torch.randint(0, 10, (32, 8))
weight = torch.linspace(0.1, 5, 10)

def padded(*lengths):  # of the sequences in the first half of the batch, and in the second
    ends = torch.tensor(lengths).repeat_interleave(16)[:, None]
    return target.where(torch.arange(8) < ends, -100)

ddp = lambda: DistributedDataParallel(copy.deepcopy(model).to(device))
fsdp = lambda: fully_shard(copy.deepcopy(model), mesh=mesh)
light = torch.cat([target[:16] % 3, target[16:]])  # light classes alone on the first rank
cases = {  # how a model is wrapped, samples of the first rank, targets, weights of the classes
    "no padding": (ddp, 16, target),
    "equal padding": (ddp, 16, padded(4, 4)),
    "more padding": (ddp, 16, padded(8, 2)),
    "more padding, FSDP": (fsdp, 16, padded(8, 2)),
    "only padding": (ddp, 16, padded(8, 0)),
    "class weights": (ddp, 16, light, weight),
    "padding and weights": (ddp, 16, padded(8, 2), weight),
    "fewer samples": (ddp, 24, target),
}
"""

# %%
# A gradient of two ranks is a sum of each rank's part, with a factor. One process finds the parts
# in FP64. ``times`` is the factor of the second rank, over that of the first: how many times as
# much its targets count.

PROGRAM += """
full = lambda grad: grad.full_tensor() if hasattr(grad, "full_tensor") else grad
summed = lambda *inputs: F.cross_entropy(*inputs, reduction="sum")
def taken(model, loss, x, target, *weight):
    result = loss(model(x).flatten(0, 1), target.flatten(), *weight)
    result.backward()
    grads = torch.cat([full(p.grad).double().cpu().flatten() for p in model.parameters()])
    return grads, result.item()

def compare(loss, wrapped, first, target, *weight):
    place, parts = next(wrapped.parameters()).device, (slice(0, first), slice(first, 32))
    mine = [t.to(place) for t in (x[parts[rank]], target[parts[rank]], *weight)]
    got, own_loss = taken(wrapped, loss, *mine)
    def alone(loss, part):
        exact = x[part].double(), target[part], *[w.double() for w in weight]
        return taken(copy.deepcopy(model).double(), loss, *exact)[0]
    exact = alone(own_mean, slice(None))
    both = torch.stack([alone(summed, part) for part in parts], 1)
    first, second = torch.linalg.lstsq(both, got[:, None]).solution.flatten().tolist()
    error = (got - exact).norm() / exact.norm()
    dist.all_reduce(nan := torch.tensor(own_loss).isnan().int())  # on how many ranks
    return {"error_share": error.item(), "times": round(second / first, 3), "nan": nan.item()}

print(json.dumps([[{"case": case} | compare(loss, wrap(), *rest)
    for case, (wrap, *rest) in cases.items()] for loss in (own_mean, mean_of_all)]))
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
print(*one[0], "", *one[1], sep="\n")
measured = {
    "by_own_mean": {"table": one[0]},
    "by_mean_of_all": {"table": one[1]},
    "second_error_share": max(row["error_share"] for row in other[1]),
}
