"""
A scaler's state is five numbers
================================

What does a scaler's state hold? The scale, three settings, and the count of good steps. The
settings are loaded as well, over those that a new scaler was given.
"""

import torch
from torch import nn

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
scaler = torch.amp.GradScaler(device.type)
print(scaler.state_dict())

later = torch.amp.GradScaler(device.type, growth_interval=100)
later.load_state_dict(scaler.state_dict())
print(f"growth interval: {later.get_growth_interval()}, not 100")

# %%
# The state of a scaler that has taken three good steps, before and after it is loaded. Then the
# interval is set after loading.

import io
import pickle

weight = nn.Parameter(torch.ones(8, device=device))
optimizer = torch.optim.SGD([weight], lr=0.1)


def one_step(scaler, factor=1.0, update=True):
    optimizer.zero_grad()
    scaler.scale((weight * factor).sum()).backward()
    scaler.step(optimizer)
    if update:
        scaler.update()


for _ in range(3):
    one_step(scaler)
state = scaler.state_dict()
file = io.BytesIO()
torch.save(state, file)
file.seek(0)
loaded = torch.load(file, weights_only=True)

fresh = torch.amp.GradScaler(device.type, growth_interval=100)
fresh.load_state_dict(loaded)
interval_loaded = fresh.get_growth_interval()
fresh.set_growth_interval(100)
print(state, interval_loaded, fresh.get_growth_interval())

# %%
# A disabled scaler has no state. Its empty state cannot be loaded into one that is enabled, and
# it ignores what is loaded into it.

off = torch.amp.GradScaler(device.type, enabled=False)
off.load_state_dict(state)


def failure(call):
    try:
        call()
    except (RuntimeError, AssertionError) as error:
        return error
    return None


empty = failure(lambda: fresh.load_state_dict(off.state_dict()))
print(off.state_dict(), empty)

# %%
# Between a step and its update, a scaler cannot be pickled. Its state can be taken, but it is
# the old one: here an overflow was found, and the state still holds the scale that caused it.

one_step(scaler, torch.inf, update=False)
pickled = failure(lambda: pickle.dumps(scaler))
early = scaler.state_dict()
scaler.update()
late = scaler.state_dict()
copy = pickle.loads(pickle.dumps(scaler))
print(pickled, early["scale"], late["scale"], sep="\n")

# %%
# After the update both work.

measured = {
    "keys": " ".join(state),
    "scale": state["scale"],
    "good_steps": state["_growth_tracker"],
    "loaded_alike": loaded == state,
    "interval_loaded": interval_loaded,
    "interval_set": fresh.get_growth_interval(),
    "keys_when_disabled": len(off.state_dict()),
    "empty": empty,
    "pickled_early": pickled,
    "early_scale": early["scale"],
    "late_scale": late["scale"],
    "early_good_steps": early["_growth_tracker"],
    "late_good_steps": late["_growth_tracker"],
    "pickled_alike": copy.state_dict() == late,
}
