"""
Checkpointing may need a static graph
=====================================

Does DDP work with gradient checkpointing? With ``use_reentrant=False`` it does, as in any model.
The older form, with ``use_reentrant=True``, fails where parameters are looked for or used twice;
``static_graph=True`` helps there.
"""

# sphinx_gallery_evidence = {"expected_warnings": [".*deprecated", "Attempting", ".*find_unused"]}
# sphinx_gallery_quiet = "nothing"
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.checkpoint import checkpoint

found = torch.accelerator.current_accelerator(check_available=True)
device, backend = (found, "nccl") if found else (torch.device("cpu"), "gloo")
dist.init_process_group(backend, store=dist.HashStore(), rank=0, world_size=1)


class Net(torch.nn.Module):
    def __init__(self, reentrant, times):
        super().__init__()
        self.reentrant, self.times = reentrant, times
        self.first, self.block = torch.nn.Linear(32, 32), torch.nn.Linear(32, 32)

    def forward(self, x):
        x = self.first(x)
        for _ in range(self.times):
            x = checkpoint(self.block, x, use_reentrant=self.reentrant)
        return x


model = DistributedDataParallel(Net(reentrant=False, times=2).to(device))
x = torch.randn(64, 32, device=device)
for _ in range(3):
    model.zero_grad()
    model(x).square().mean().backward()
print(model.module.block.weight.grad.norm().item())

# %%
# Each case has a model of its own and takes three steps. Are its gradients those of the same model
# without ``DistributedDataParallel``?

STEPS = 3
SETTINGS = {
    "plain": {},
    "unused looked for": {"find_unused_parameters": True},
    "static graph": {"static_graph": True},
}
errors = {}


def outcome(case, reentrant, times, **settings):
    torch.manual_seed(0)
    plain = Net(reentrant, times).to(device)
    torch.manual_seed(0)
    model = DistributedDataParallel(Net(reentrant, times).to(device), **settings)
    row = {"case": case, "steps": 0, "right": 0, "error": "none"}
    try:
        for _ in range(STEPS):
            for net in (plain, model):
                net.zero_grad()
                net(x).square().mean().backward()
            both = zip(plain.parameters(), model.parameters())
            row["right"] += all(torch.allclose(a.grad, b.grad) for a, b in both)
            row["steps"] += 1
    except RuntimeError as error:
        row["error"] = type(error).__name__
        errors[case] = RuntimeError(str(error).split(". ")[0].strip())
    return row


rows = []
for form, reentrant in (("not reentrant", False), ("reentrant", True)):
    for used, times in (("once", 1), ("twice", 2)):
        for name, settings in SETTINGS.items():
            case = f"{form}, {used}, {name}"
            rows.append(outcome(case, reentrant, times, **settings))
            print(rows[-1])
dist.destroy_process_group()
print(*errors.items(), sep="\n")

measured = {
    "tries": STEPS,
    "twice": errors["reentrant, twice, plain"],
    "by_case": {"table": rows},
}
