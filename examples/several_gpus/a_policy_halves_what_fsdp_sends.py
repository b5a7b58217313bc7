"""
A policy halves what FSDP sends
===============================

What do the ranks send each other in a step? DDP sends each gradient once, in its own type, also
under autocast. ``fully_shard`` sends the parameters twice and the gradients once, in the types of
its ``MixedPrecisionPolicy``; autocast changes nothing about that.
"""

# sphinx_gallery_evidence = {"timeout": 120}
# sphinx_gallery_quiet = "nothing"
import json
import os
import socket
import subprocess
import sys

# %%
# This program runs once for each rank, with tensors on the CPU, because the calls are the same
# there. It counts the bytes of each collective: the larger of what goes in and what comes out.

PROGRAM = """
import json
from collections import Counter
import torch
import torch.distributed as dist
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import fp16_compress_hook
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.nn.parallel import DistributedDataParallel
from torch.utils._python_dispatch import TorchDispatchMode

dist.init_process_group("gloo")
mesh = dist.init_device_mesh("cpu", (2,))
WIDTH, LAYERS, BF16, FP32 = 256, 4, torch.bfloat16, torch.float32

class Sent(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.bytes = Counter()

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        name = str(function)
        if name.startswith("c10d."):
            flat = [t for a in args for t in (a if isinstance(a, (list, tuple)) else [a])]
            sizes = [t.nbytes for t in flat if isinstance(t, torch.Tensor)]
            self.bytes[name] += max(sizes, default=0)  # the part of all ranks
        return function(*args, **(kwargs or {}))
"""

# %%
# One step of the same model in each way.

PROGRAM += """
def layers():
    torch.manual_seed(0)
    return torch.nn.Sequential(*(torch.nn.Linear(WIDTH, WIDTH, False) for _ in range(LAYERS)))

def sharded(reshard=None, **types):
    model = layers()
    options = {"mesh": mesh, "mp_policy": MixedPrecisionPolicy(**types)}
    for layer in model:
        fully_shard(layer, reshard_after_forward=reshard, **options)
    return fully_shard(model, **options)

def with_hook(model):
    model.register_comm_hook(None, fp16_compress_hook)
    return model

def sent(model, autocast):
    x = torch.randn(16, WIDTH)
    with Sent() as seen:
        with torch.autocast("cpu", BF16, enabled=autocast):
            loss = model(x).float().square().mean()
        loss.backward()
    return seen.bytes

cases = {
    "DDP": (DistributedDataParallel(layers()), False),
    "DDP, autocast": (DistributedDataParallel(layers()), True),
    "DDP, FP16 hook": (with_hook(DistributedDataParallel(layers())), False),
    "FSDP": (sharded(), False),
    "FSDP, autocast": (sharded(), True),
    "FSDP, policy": (sharded(param_dtype=BF16, reduce_dtype=FP32), False),
    "FSDP, policy for both": (sharded(param_dtype=BF16), False),
    "FSDP, kept after forward": (sharded(reshard=False), False),
}
rows = [{"case": case, **sent(*given)} for case, given in cases.items()]
rows[0]["model"] = sum(p.nbytes for p in layers().parameters())
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

# %%
# The size of what is sent, for each kind of collective. Gathering fetches parameters; the other
# two sum up gradients.

GATHER, REDUCE = "c10d._allgather_base_.default", "c10d._reduce_scatter_base_.default"
rows = [
    {
        "case": row["case"],
        "gathered_bytes": row.get(GATHER, 0),
        "reduced_bytes": row.get(REDUCE, 0) + row.get("c10d.allreduce_.default", 0),
    }
    for row in one
]
measured = {
    "model_bytes": one[0]["model"],
    "ranks_alike": one == other,
    "by_case": {"table": rows},
}
print(f"the model has {one[0]['model'] / 2**20:.1f} MiB")
