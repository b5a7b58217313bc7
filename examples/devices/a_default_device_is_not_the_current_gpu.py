"""
A default device is not the current GPU
=======================================

Why is my tensor on the CPU, although a GPU is selected? The current GPU only completes a bare
``"cuda"``. A tensor made without any device follows the default device, which is the CPU.
"""

# sphinx_gallery_evidence = {"gpus": 2}
# sphinx_gallery_quiet = "nothing"
import torch

with torch.cuda.device(1):  # chooses the current GPU
    x = torch.ones(2)
with torch.device("cuda:1"):  # chooses the default device
    y = torch.ones(2)
print(f"x: {x.device}, y: {y.device}")

# %%
# Where do ``torch.ones(1)`` and ``torch.ones(1, device="cuda")`` land as the settings change?

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from torch.utils.data import DataLoader

opening = f"{x.device} {y.device}"


def pair():
    devices = torch.ones(1).device, torch.ones(1, device="cuda").device
    return dict(zip(("no_device", "bare"), map(str, devices)))


rows = [{"setting": "none", **pair()}]
with torch.cuda.device(1):
    rows.append({"setting": "current", **pair()})
with torch.device("cuda:1"):
    rows.append({"setting": "default", **pair()})
with torch.device("cuda:1"), torch.cuda.device(0):
    rows.append({"setting": "default_then_current", **pair()})
with torch.device("cuda"), torch.cuda.device(1):
    rows.append({"setting": "bare_default_then_current", **pair()})

# %%
# ``set_default_device`` lasts, but only in this thread; a context overrides it.

torch.set_default_device("cuda:1")
rows.append({"setting": "for_good", **pair()})
with torch.device("cuda:0"):
    rows.append({"setting": "for_good_then_context", **pair()})
rows.append({"setting": "for_good_again", **pair()})
with ThreadPoolExecutor(1) as threads:
    rows.append({"setting": "in_a_new_thread", **threads.submit(pair).result()})
print(*rows, sep="\n")

# %%
# Some functions follow the default device, and some do not.

with torch.device("cpu"):
    on_host = torch.ones(2)
MADE = {
    "tensor": lambda: torch.tensor([1.0]),
    "as_tensor": lambda: torch.as_tensor(np.ones(1)),
    "from_numpy": lambda: torch.from_numpy(np.ones(1)),
    "module": lambda: torch.nn.Linear(1, 1).weight,
    "new": lambda: on_host.new_zeros(1),
    "like": lambda: torch.zeros_like(on_host),
    "sum": lambda: on_host + 1,
    "as_tensor_of_tensor": lambda: torch.as_tensor(on_host),
    "index": lambda: torch.ones(1, device="cuda:0"),
    "host": lambda: torch.ones(1, device="cpu"),
}
made = [{"way": way, "device": str(make().device)} for way, make in MADE.items()]
print(*made, sep="\n")

# %%
# A loader that shuffles draws its order with a generator. It makes that on the CPU, but
# ``torch.randperm`` follows the default device.

data = torch.arange(8, device="cpu")


def shuffled():
    return [int(x) for x in DataLoader(data, shuffle=True, batch_size=None)]


def shuffled_by_own_generator():
    own = torch.Generator(device=torch.get_default_device())
    loader = DataLoader(data, shuffle=True, batch_size=None, generator=own)
    return [int(x) for x in loader]


def outcome(way):
    try:
        return sorted(way()) == list(range(8))
    except RuntimeError as failure:
        print(failure)
        return failure


by_default = outcome(shuffled)
by_own = outcome(shuffled_by_own_generator)
torch.set_default_device(None)

measured = {
    "opening": opening,
    "settings": {"table": rows},
    "made": {"table": made},
    "shuffled": by_default,
    "shuffled_by_own_generator": by_own,
    "after_none": str(torch.ones(1).device),
}
