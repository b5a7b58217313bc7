"""
A sampler repeats without set_epoch
===================================

Which samples does each rank see? With a ``DistributedSampler``, a part of its own, in the same
order in every epoch, unless ``set_epoch`` is called. Without the sampler, all ranks see the same
batches. And with equal seeds, their dropout drops the same.
"""

# sphinx_gallery_evidence = {"timeout": 120}
# sphinx_gallery_quiet = "nothing"
import json
import os
import socket
import subprocess
import sys

# %%
# This program runs once for each rank. Eight samples are numbers, and a loader shuffles them.

PROGRAM = """
import json, os
import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler

rank = int(os.environ["RANK"])
dist.init_process_group("gloo")
EPOCHS, samples = 3, torch.arange(8)

def with_set_epoch():
    sampler = DistributedSampler(samples)
    loader = DataLoader(samples, batch_size=2, sampler=sampler)
    for epoch in range(EPOCHS):
        sampler.set_epoch(epoch)
        yield torch.cat(list(loader)).tolist()

def orders(samples=samples, seed=0, **settings):
    sampler = DistributedSampler(samples, seed=seed, **settings)
    loader = DataLoader(samples, batch_size=2, sampler=sampler)
    return [torch.cat(list(loader)).tolist() for _ in range(EPOCHS)]

def without_a_sampler():
    torch.manual_seed(0)  # as programs do that want to repeat a run
    loader = DataLoader(samples, batch_size=2, shuffle=True)
    return [torch.cat(list(loader)).tolist() for _ in range(EPOCHS)]

cases = {
    "set_epoch": list(with_set_epoch()),
    "no set_epoch": orders(),
    "a seed for each rank": orders(seed=rank),
    "no sampler": without_a_sampler(),
    "seven samples": orders(samples[:7]),
    "seven samples, drop_last": orders(samples[:7], drop_last=True),
}
"""

# %%
# What do two ranks draw? Each has a mask of dropout, and the weights of a new model, before and
# after it was wrapped.

PROGRAM += """
found = torch.accelerator.current_accelerator(check_available=True)
device = torch.device("cuda", 0) if found else torch.device("cpu")  # gloo allows to share one
def draws(seed):
    torch.manual_seed(seed)
    model = torch.nn.Linear(16, 16).to(device)
    made = model.weight.detach().flatten().tolist()
    torch.nn.parallel.DistributedDataParallel(model)
    wrapped = model.weight.detach().flatten().tolist()
    mask = torch.nn.functional.dropout(torch.ones(256, device=device)).tolist()
    return {"weights": made, "wrapped_weights": wrapped, "dropout": mask}

print(json.dumps([cases, draws(0), draws(rank)]))
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
# Of each case: in how many epochs did the first rank have another order than in its first one, how
# many samples did both ranks see, and how many did none see, in the first epoch?

rows = []
for case, (first, *later) in one[0].items():
    there, total = other[0][case][0], 7 if "seven" in case else 8
    row = {"case": case, "new_orders": sum(epoch != first for epoch in later)}
    row |= {"seen_by_both": len({*first} & {*there})}
    row |= {"unseen": total - len({*first} | {*there}), "on_each": len(first)}
    rows.append(row | {"order": " ".join(map(str, first))})
seeds = []
for kind, here, there in zip(("equal", "own"), one[1:], other[1:]):
    seeds.append({"seeds": kind, **{name: here[name] == there[name] for name in here}})
print(*rows, *seeds, sep="\n")
measured = {
    "later_epochs": len(one[0]["set_epoch"]) - 1,
    "by_case": {"table": rows},
    "alike_by_seeds": {"table": seeds},
}
