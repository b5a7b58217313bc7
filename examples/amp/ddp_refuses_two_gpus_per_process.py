"""
DDP refuses two GPUs per process
================================

May one process of ``DistributedDataParallel`` drive two GPUs? Not with a copy of the model on
each: that mode is gone. A model with layers on both may: its forward pass runs in the calling
thread, so that autocast needs no fix, and one scaler serves both GPUs.
"""

# sphinx_gallery_evidence = {"gpus": 2, "timeout": 60}
# sphinx_gallery_quiet = "nothing"
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

found = torch.accelerator.current_accelerator(check_available=True)
devices = [torch.device("cuda", i) if found else torch.device("cpu") for i in range(2)]
backend = "nccl" if found else "gloo"
dist.init_process_group(backend, store=dist.HashStore(), rank=0, world_size=1)

try:
    DistributedDataParallel(torch.nn.Linear(32, 1).to(devices[0]), device_ids=[0, 1])
    refused = "accepted"
except ValueError as error:
    refused = error
print(refused)

# %%
# A model with a layer on each GPU takes no ``device_ids``. Its forward pass notes where it runs.

import threading


class OnBoth(torch.nn.Module):
    """A layer on each GPU."""

    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(32, 64, device=devices[0])
        self.second = torch.nn.Linear(64, 1, device=devices[1])
        self.seen = []

    def forward(self, x):
        hidden = self.first(x)
        output = self.second(hidden.to(devices[1]))
        thread = threading.current_thread() is threading.main_thread()
        self.seen.append((str(hidden.dtype), str(output.dtype), thread))
        return output


torch.manual_seed(0)
model = DistributedDataParallel(OnBoth())
optimizer = torch.optim.SGD(model.parameters(), 0.01)
x = torch.randn(64, 32, device=devices[0])

for low in (torch.float16, torch.bfloat16):
    with torch.autocast(devices[0].type, low):
        model(x)
rows = [
    {"asked": asked, "first": first, "second": second, "main_thread": main}
    for asked, (first, second, main) in zip(("float16", "bfloat16"), model.module.seen)
]
print(*rows, sep="\n")

# %%
# An infinite gradient on the second GPU: is the step of both layers skipped?

SCALE, TRIES = 1024.0, 10
kept = fell = finite_kept = 0
for _ in range(TRIES):
    for is_bad in (False, True):
        scaler = torch.amp.GradScaler(devices[0].type, SCALE)
        before = model.module.first.weight.detach().clone()
        optimizer.zero_grad()
        with torch.autocast(devices[0].type, torch.float16):
            loss = model(x).square().mean()
        scaler.scale(loss).backward()
        if is_bad:
            model.module.second.weight.grad.fill_(torch.inf)
        scaler.step(optimizer)
        scaler.update()
        same = torch.equal(before, model.module.first.weight)
        kept += is_bad and same
        finite_kept += same and not is_bad
        fell += is_bad and scaler.get_scale() < SCALE
dist.destroy_process_group()
print(f"first layer kept: {kept} of {TRIES}; without infinity {finite_kept} of {TRIES}")

measured = {
    "refused": refused,
    "by_type": {"table": rows},
    "tries": TRIES,
    "kept": kept,
    "kept_when_finite": finite_kept,
    "fell": fell,
}
