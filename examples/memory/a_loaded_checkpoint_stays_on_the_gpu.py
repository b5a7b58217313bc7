"""
A loaded checkpoint stays on the GPU
====================================

Why does training need more memory after it was resumed? ``torch.load`` puts the tensors of a file
back on the GPU that they were saved from. ``load_state_dict`` copies the weights into the model,
and the copies in the checkpoint stay for as long as its name does.
"""

# sphinx_gallery_quiet = "nothing"
import gc
import tempfile
from pathlib import Path

import torch

WIDTH, LAYERS = 1024, 8
path = Path(tempfile.mkdtemp()) / "checkpoint.pt"


def new_model(device="cuda"):
    layers = [torch.nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(LAYERS)]
    return torch.nn.Sequential(*layers).to(device)


model = new_model()
optimizer = torch.optim.AdamW(model.parameters())
for parameter in model.parameters():
    parameter.grad = torch.ones_like(parameter)
optimizer.step()  # makes the state
torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, path)

before = torch.cuda.memory_allocated()
checkpoint = torch.load(path)
model.load_state_dict(checkpoint["model"])
optimizer.load_state_dict(checkpoint["optimizer"])
print(f"{torch.cuda.memory_allocated() - before} bytes more than before")
del checkpoint
print(f"{torch.cuda.memory_allocated() - before} bytes once the name is gone")

# %%
# Everything goes, except for the file and a copy of the weights on the host.

weights = [parameter.detach().cpu() for parameter in model.parameters()]
weights_bytes = sum(weight.nbytes for weight in weights)
del model, optimizer, parameter
gc.collect()
start = torch.cuda.memory_allocated()


def held():
    return torch.cuda.memory_allocated() - start


# %%
# Each way loads the file and resumes. ``assign=True`` makes the tensors of the checkpoint the
# parameters; a model on the device ``meta`` has no memory of its own before.

WAYS = {
    "as saved": ({}, "cuda", False),
    "to the host": ({"map_location": "cpu"}, "cuda", False),
    "mapped": ({"map_location": "cpu", "mmap": True}, "cuda", False),
    "assigned": ({}, "cuda", True),
    "assigned to meta": ({}, "meta", True),
}


def resume(options, device, assign):
    torch.cuda.reset_peak_memory_stats()
    model = new_model(device)
    checkpoint = torch.load(path, **options)
    model.load_state_dict(checkpoint["model"], assign=assign)
    optimizer = torch.optim.AdamW(model.parameters())
    optimizer.load_state_dict(checkpoint["optimizer"])
    row = {"resumed_bytes": held()}
    del checkpoint
    row["without_the_name_bytes"] = held()
    row["peak_bytes"] = torch.cuda.max_memory_allocated() - start
    loaded = (parameter.detach().cpu() for parameter in model.parameters())
    row["right"] = all(map(torch.equal, loaded, weights))
    row["states"] = len(optimizer.state)
    return row


table = []
for way, arguments in WAYS.items():
    table.append({"way": way, **resume(*arguments)})
    gc.collect()
    table[-1]["left_bytes"] = held()
    print(table[-1])

# %%
# What is held once training could go on, before and after the name of the checkpoint is deleted,
# and the peak until then; what is left in the end shows that nothing else was held.

measured = {"weights_bytes": weights_bytes, "by_way": {"table": table}}
