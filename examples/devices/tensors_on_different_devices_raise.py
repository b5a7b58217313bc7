"""
Tensors on different devices raise
==================================

"Expected all tensors to be on the same device": which one was left on the CPU? The message names
the argument or both devices. Here is each form of the mistake, with its message and its cure.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(4, 3).to(device)
x, y = torch.ones(2, 4), torch.tensor([0, 2])  # on the CPU, as a loader gives them
try:
    model(x)
except RuntimeError as error:
    print(error)
x, y = x.to(device), y.to(device)
print(nn.functional.cross_entropy(model(x), y).device)

# %%
# ``to`` returns a new tensor, and what is made in a function without a device is on the CPU.


def moved_but_not_kept(x):
    x.to(device)
    return model(x)


def moved_and_kept(x):
    x = x.to(device)
    return model(x)


def made_on_the_cpu(x):
    factors = torch.tensor([1.0, 2.0, 3.0, 4.0])
    return x * factors


def made_where_x_is(x):
    factors = torch.tensor([1.0, 2.0, 3.0, 4.0], device=x.device)
    return x * factors


# %%
# A module that moves takes its parameters and buffers along, and the layers in a ``ModuleList``. It
# does not know what else it keeps: a plain tensor, or layers in a plain list.


class Forgetful(nn.Module):
    def __init__(self):
        super().__init__()
        self.factors = torch.tensor([1.0, 2.0, 3.0, 4.0])
        self.layers = [nn.Linear(4, 4), nn.Linear(4, 3)]


class Careful(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("factors", torch.tensor([1.0, 2.0, 3.0, 4.0]))
        self.layers = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 3)])


def error_of(call):
    try:
        call()
    except RuntimeError as error:
        return error
    return "none"


# %%
# Each form has a wrong call and a right one. Three other mixtures are no mistake.

a, b, h = x.cpu(), y.cpu(), torch.zeros(1, 3)
image, images = torch.ones(1, 3, 8, 8), torch.ones(2, 3, 8, 8)
forgetful, careful = Forgetful().to(device), Careful().to(device)
table, conv = nn.Embedding(5, 4).to(device), nn.Conv2d(3, 8, 3).to(device)
lstm, loss = nn.LSTM(4, 3).to(device), nn.functional.cross_entropy
FORMS = {
    "batch": (lambda: model(a), lambda: model(a.to(device))),
    "target": (lambda: loss(model(x), b), lambda: loss(model(x), b.to(device))),
    "model": (lambda: nn.Linear(4, 3)(x), lambda: nn.Linear(4, 3).to(device)(x)),
    "not_kept": (lambda: moved_but_not_kept(a), lambda: moved_and_kept(a)),
    "forward": (lambda: made_on_the_cpu(x), lambda: made_where_x_is(x)),
    "attribute": (lambda: x * forgetful.factors, lambda: x * careful.factors),
    "layers": (lambda: forgetful.layers[0](x), lambda: careful.layers[0](x)),
    "image": (lambda: conv(image), lambda: conv(image.to(device))),
    "images": (lambda: conv(images), lambda: conv(images.to(device))),
    "tokens": (lambda: table(b), lambda: table(b.to(device))),
    "parts": (lambda: torch.cat([x, a]), lambda: torch.cat([x, a.to(device)])),
    "state": (lambda: lstm(x, (h, h)), lambda: lstm(x, (h.to(device), h.to(device)))),
    "index": (lambda: a[y - y], lambda: a.to(device)[y - y]),
}
MIXED = {"number": lambda: x * torch.tensor(2.0), "index": lambda: x[b - b]}
MIXED["copy"] = lambda: torch.empty_like(x).copy_(a)
rows = [
    {"form": form, "error": error_of(wrong), "cured": error_of(right) == "none"}
    for form, (wrong, right) in FORMS.items()
]
mixed = [{"form": form, "runs": error_of(MIXED[form]) == "none"} for form in MIXED]
print(*rows, mixed, sep="\n")

# %%
# The traceback names the line that uses the tensors. The GPU is not harmed: the process goes on.

import traceback

not_kept = dict(zip(FORMS, rows))["not_kept"]["error"]
frames = traceback.extract_tb(getattr(not_kept, "__traceback__", None))
named = [frame.lineno for frame in frames if frame.name == "moved_but_not_kept"]
measured = {
    "by_form": {"table": rows},
    "forms": len(rows),
    "cured": sum(row["cured"] for row in rows),
    "mixed": {"table": mixed},
    "named_line": sum(named) - moved_but_not_kept.__code__.co_firstlineno,
    "usable": moved_and_kept(a).isfinite().all().item(),
}
