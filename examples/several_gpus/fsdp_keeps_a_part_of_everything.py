"""
FSDP keeps a part of everything
===============================

What does ``fully_shard`` save? Each rank keeps its part of the parameters, of the gradients and of
the optimizer's state, where DDP keeps all of them on every rank. During a step the layers are put
together one by one, if each of them was sharded by itself.
"""

# sphinx_gallery_evidence = {"fresh": True, "expected_warnings": [".*deprecated"]}
# sphinx_gallery_quiet = "nothing"
import gc
import time

import torch
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel

found = torch.accelerator.current_accelerator(check_available=True)
device = torch.device(found.type, 0) if found else torch.device("cpu")
WIDTH, LAYERS = 2048, 8  # 16 MiB a layer


def layers():
    kind = {"bias": False, "device": device}
    each = (torch.nn.Linear(WIDTH, WIDTH, **kind) for _ in range(LAYERS))
    return torch.nn.Sequential(*each)


# %%
# Bytes of each kind after three steps with Adam, and the most that was allocated during the third.
# The batch is small, so that activations are as well. A pause before each step lets a thread of
# the group see that what was sent has arrived; the next collective then frees what nobody needs.


def here(tensors):
    parts = (t.to_local() if hasattr(t, "to_local") else t for t in tensors)
    return sum(part.nbytes for part in parts)


def bytes_of(make):
    gc.collect()  # what the way before left
    begin = torch.accelerator.memory_allocated() if found else 0
    model = make()
    optimizer = torch.optim.Adam(model.parameters())
    x = torch.randn(16, WIDTH, device=device)
    for _ in range(3):
        if found:
            torch.accelerator.synchronize()
            time.sleep(0.3)
            torch.accelerator.reset_peak_memory_stats()
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
    own = list(model.parameters())
    state = [t for each in optimizer.state.values() for t in each.values() if t.dim()]
    row = {"parameter_bytes": here(own), "gradient_bytes": here(p.grad for p in own)}
    peak = torch.accelerator.max_memory_allocated() - begin if found else 0
    return row | {"state_bytes": here(state), "peak_bytes": peak}


# %%
# DDP keeps everything on each rank, so that a group of one rank shows it. The first pass is a
# warm-up: the first product allocates a workspace that stays.

backend = "nccl" if found else "gloo"
dist.init_process_group(backend, store=dist.HashStore(), rank=0, world_size=1)
bytes_of(layers)
rows = [{"way": "DDP", **bytes_of(lambda: DistributedDataParallel(layers()))}]
dist.destroy_process_group()

# %%
# FSDP needs two ranks. PyTorch's tests have a group that sends nothing, which is private: this
# process is one of two ranks, and allocates what it would allocate beside the other one. (The
# numbers in its gathered parameters are not those of the other rank; sizes are all that counts.)

from torch.testing._internal.distributed.fake_pg import FakeStore

dist.init_process_group("fake", store=FakeStore(), rank=0, world_size=2)
mesh = dist.init_device_mesh(device.type, (2,))


def sharded(each=True, reshard=None):
    model = layers()
    for layer in model if each else ():
        fully_shard(layer, mesh=mesh, reshard_after_forward=reshard)
    return fully_shard(model, mesh=mesh, reshard_after_forward=reshard)


WAYS = {
    "FSDP": sharded,
    "FSDP, kept after forward": lambda: sharded(reshard=False),
    "FSDP, as a whole": lambda: sharded(each=False),
}
rows += [{"way": way, **bytes_of(make)} for way, make in WAYS.items()]
dist.destroy_process_group()
print(*rows, sep="\n")
measured = {"by_way": {"table": rows}}
