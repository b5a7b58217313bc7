"""Stand-ins for NCCL on the CPU, for dry runs: loaded by sitecustomize if STUB_DIST is set."""
import sys, warnings
import torch, torch.distributed as dist
opened = set()
real = dist.init_process_group
def number(d):
    d = torch.device(d); return d.index or 0 if d.type == "cuda" else None
def init(backend, device_id=None, **k):
    init.device = device_id; init.rank = k["rank"]
    if device_id is not None: opened.add(device_id.index)
    k.pop("timeout", None)
    real("gloo", **k)
dist.init_process_group = init
barrier, reduce = dist.barrier, dist.all_reduce
current = [0]
def all_reduce(x): init.device = torch.device("cuda", LAST[0]); return reduce(x)
LAST = [0]
dist.all_reduce = all_reduce
def fake(device_ids=None):
    if device_ids: opened.add(device_ids[0])
    elif init.device is None:
        opened.add(init.rank); opened.add(current[0]) if current[0] != 1 or init.rank else None
        sys.stderr.write("Warning: Guessing device ID based on global rank.\n")
        if init.rank == 0: warnings.warn("barrier(): using the device under current context. ")
    barrier()
dist.barrier = fake
torch.cuda.set_device = lambda d: current.__setitem__(0, d.index)
torch._C._cuda_hasPrimaryContext = lambda n: n in opened
f = torch.ones
def ones(*a, **k):
    d = k.pop("device", None)
    if d is not None: opened.add(number(d)); LAST[0] = number(d)
    return f(*a)
torch.ones = ones
