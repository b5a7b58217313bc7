"""
torch.load asks no default device
=================================

Where does a tensor land that is read from a file, if you name no device? On the GPU from which it
was saved, whatever the default device is. And ``torch.tensor(x)`` goes where the default device is.
"""

# sphinx_gallery_quiet = "nothing"
import io
import os
import pickle
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import torch

x = torch.ones(2, device="cuda")
file = io.BytesIO()
torch.save({"x": x}, file)


def load(**options):
    file.seek(0)
    return torch.load(file, **options)["x"]


print(f"loaded: {load().device}; with map_location: {load(map_location='cpu').device}")

# %%
# Each call without a default device, and with the CPU as the default device, for a while or until
# the next call. None of them names a device but the last, and ``x`` is on the GPU.

CALLS = {
    "torch.ones(2)": lambda: torch.ones(2),
    "torch.load(file)": load,
    "pickle.loads(data)": lambda: pickle.loads(pickle.dumps(x)),
    "torch.tensor(x)": lambda: torch.tensor(x),
    "torch.asarray(x)": lambda: torch.asarray(x),
    "torch.as_tensor(x)": lambda: torch.as_tensor(x),
    "x.clone()": lambda: x.clone(),
    "torch.load(file, map_location='cpu')": lambda: load(map_location="cpu"),
}


def places():
    return [call().device.type for call in CALLS.values()]


warnings.simplefilter("ignore")  # torch.tensor(x) recommends clone()
columns = {"none": places()}
with torch.device("cpu"):
    columns["in_a_block"] = places()
torch.set_default_device("cpu")
columns["set"] = places()
torch.set_default_device(None)
on_host = torch.ones(2)
with torch.device("cuda"):
    moved = {"torch.tensor(x)": torch.tensor(on_host).device.type}
    moved["torch.asarray(x)"] = torch.asarray(on_host).device.type
    moved["torch.zeros_like(x)"] = torch.zeros_like(on_host).device.type
rows = [
    {"call": call, **{column: at[row] for column, at in columns.items()}}
    for row, call in enumerate(CALLS)
]
print(*rows, moved, sep="\n")

# %%
# A GPU that is not there: ``torch.load`` has a message of its own. So it does where no GPU is
# visible, and with ``map_location`` the same file loads there.


def error_of(call):
    try:
        call()
    except Exception as error:
        return error
    return "none"


count = torch.cuda.device_count()
beyond = error_of(lambda: load(map_location=f"cuda:{count}"))
usable = torch.ones(1, device="cuda").item() == 1
PROGRAM = """
import sys, torch
print(torch.load(sys.argv[1], **eval(sys.argv[2]))["x"].device)
"""


def without_a_gpu(options):
    command = [sys.executable, "-c", PROGRAM, path, options]
    hidden = os.environ | {"CUDA_VISIBLE_DEVICES": ""}
    done = subprocess.run(command, env=hidden, capture_output=True, text=True)
    return (done.stdout or done.stderr).strip().splitlines()[-1].partition(" but")[0]


with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "x.pt")
    torch.save({"x": x}, path)
    hidden = without_a_gpu("{}")
    hidden_mapped = without_a_gpu("{'map_location': 'cpu'}")
print(beyond, hidden, hidden_mapped, sep="\n")

measured = {
    "by_call": {"table": rows},
    "moved": {"table": [{"call": call, "at": at} for call, at in moved.items()]},
    "beyond": beyond,
    "usable_afterwards": usable,
    "hidden": hidden,
    "hidden_mapped": hidden_mapped,
}
