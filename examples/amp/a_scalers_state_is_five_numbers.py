"""
A scaler's state is five numbers
================================

What does a scaler's state hold? The scale, three settings, and the count of good steps. The
settings are loaded as well, over those that a new scaler was given.
"""

# sphinx_gallery_quiet = "nothing"
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

INTERVAL = 100

weight = nn.Parameter(torch.ones(8, device=device))
optimizer = torch.optim.SGD([weight], lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    scaler.scale(weight.sum()).backward()
    scaler.step(optimizer)
    scaler.update()

state = scaler.state_dict()
file = io.BytesIO()
torch.save(state, file)
file.seek(0)
loaded = torch.load(file, weights_only=True)

fresh = torch.amp.GradScaler(device.type, growth_interval=INTERVAL)
fresh.load_state_dict(loaded)
interval_loaded = fresh.get_growth_interval()
fresh.set_growth_interval(INTERVAL)
print(state, interval_loaded, fresh.get_growth_interval())

# %%
# A disabled scaler has no state. Its empty state cannot be loaded into one that is enabled, and
# it ignores what is loaded into it.

off = torch.amp.GradScaler(device.type, enabled=False)
off.load_state_dict(state)
try:
    fresh.load_state_dict(off.state_dict())
except RuntimeError as error:
    failure = error
print(off.state_dict(), failure)

# %%
# The keys are joined into one string.

measured = {
    "keys": ", ".join(state),
    "good_steps": state["_growth_tracker"],
    "loaded_alike": loaded == state,
    "interval": INTERVAL,
    "interval_loaded": interval_loaded,
    "interval_set": fresh.get_growth_interval(),
    "keys_when_disabled": len(off.state_dict()),
    "failure": failure,
}
