"""
A state saved before update is old
==================================

When may a scaler be saved? After the update, or before the next step. In between, its state
still holds the scale that has just overflowed, and a good step that is not yet counted.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch import nn

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
weight = nn.Parameter(torch.ones(8, device=device))
optimizer = torch.optim.SGD([weight], lr=0.1)
scaler = torch.amp.GradScaler(device.type)

scaler.scale((weight * torch.inf).sum()).backward()
scaler.step(optimizer)
early = scaler.state_dict()
scaler.update()
late = scaler.state_dict()
print(f"scale before the update: {early['scale']}, after it: {late['scale']}")

# %%
# Four scalers continue after the third of five good steps that a doubling takes: the one that was
# not interrupted, one with its state, one with a state that was taken before the third update,
# and one with the scale alone.

import pickle

INTERVAL = 5
GOOD = 3


def one_step(scaler, update=True):
    optimizer.zero_grad()
    scaler.scale(weight.sum()).backward()
    scaler.step(optimizer)
    if update:
        scaler.update()


def steps_to_double(scaler):
    scale, steps = scaler.get_scale(), 0
    while scaler.get_scale() == scale:
        one_step(scaler)
        steps += 1
    return steps


def new_scaler(**settings):
    return torch.amp.GradScaler(device.type, growth_interval=INTERVAL, **settings)


scaler = new_scaler()
for step in range(GOOD):
    one_step(scaler, update=step < GOOD - 1)
before_update = scaler.state_dict()
try:
    pickle.dumps(scaler)
except AssertionError as error:
    pickled_early = error
scaler.update()

after_update = scaler.state_dict()
pickled = pickle.loads(pickle.dumps(scaler))
scalers = {
    "uninterrupted": scaler,
    "after update": new_scaler(),
    "pickled": pickled,
    "before update": new_scaler(),
    "scale alone": new_scaler(init_scale=scaler.get_scale()),
}
scalers["after update"].load_state_dict(after_update)
scalers["before update"].load_state_dict(before_update)
ways = [{"way": way, "steps": steps_to_double(s)} for way, s in scalers.items()]
print(*ways, pickled_early, sep="\n")

# %%
# Each way has the number of further steps until the scale doubled.

measured = {
    "good": GOOD,
    "interval": INTERVAL,
    "by_way": {"table": ways},
    "early_scale": int(early["scale"]),
    "late_scale": int(late["scale"]),
    "pickled_early": pickled_early,
}
