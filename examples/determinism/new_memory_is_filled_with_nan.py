"""
New memory is filled with NaN
=============================

What does deterministic mode do to ``torch.empty``? It fills the new memory with NaN, or with the
largest integer, so that a forgotten value shows. That takes a kernel for each new tensor.
"""

# sphinx_gallery_evidence = {"expected_warnings": ["Attempting to run cuBLAS"]}
# sphinx_gallery_quiet = "nothing"
import torch

device = torch.accelerator.current_accelerator(check_available=True) or "cpu"
print("without:", torch.empty(3, device=device))

torch.use_deterministic_algorithms(True)
print("with:", torch.empty(3, device=device))

torch.utils.deterministic.fill_uninitialized_memory = False
print("not filled:", torch.empty(3, device=device))

# %%
# What is put in by each function, and for each type? Memory that held sevens is freed just before,
# so that an unfilled tensor shows them.

SIZE = 2**20
switch = torch.use_deterministic_algorithms
kept = torch.full((SIZE,), 7.0, device=device)
FUNCTIONS = {
    "empty": lambda kind: torch.empty(SIZE, dtype=kind, device=device),
    "empty_like": lambda kind: torch.empty_like(kept, dtype=kind),
    "new_empty": lambda kind: kept.new_empty(SIZE, dtype=kind),
    "resize_": lambda kind: torch.empty(0, dtype=kind, device=device).resize_(SIZE),
}
KINDS = ("float32", "bfloat16", "complex64", "int64", "uint8", "bool")
TYPES = {name: getattr(torch, name) for name in KINDS}


def sevens(kind):
    return torch.full((SIZE,), 7, dtype=kind, device=device)


def content(function, kind, fill):
    torch.utils.deterministic.fill_uninitialized_memory = fill
    x = sevens(kind)
    del x
    return str(FUNCTIONS[function](kind)[-1].item())


switch(True)
unfilled = [content(name, torch.float32, False) for name in FUNCTIONS]
filled = [content(name, torch.float32, True) for name in FUNCTIONS]
by_type = [{"type": n, "value": content("empty", x, True)} for n, x in TYPES.items()]

# %%
# A sum into new memory, which somebody forgot to set to zero, is wrong in silence. In
# deterministic mode it is NaN each time.

TRIES = 20


def forgotten(mode):
    switch(mode)
    torch.utils.deterministic.fill_uninitialized_memory = True
    sums = []
    for n in range(TRIES):
        x = torch.full((SIZE,), float(n), device=device)
        del x
        total = torch.empty(SIZE, device=device)
        total += 1
        sums.append(total.sum().item())
    switch(False)
    return sums


silent, loud = forgotten(False), forgotten(True)

# %%
# How many kernels does a training step launch, and how many of them fill memory?

from torch import nn

layer = nn.TransformerEncoderLayer(256, 4, 1024, batch_first=True).to(device)
optimizer = torch.optim.AdamW(layer.parameters())
x = torch.randn(8, 128, 256, device=device)


def kernels(fill):
    switch(True)
    torch.utils.deterministic.fill_uninitialized_memory = fill
    for _ in range(2):
        with torch.profiler.profile(acc_events=True) as profile:
            layer(x).square().mean().backward()
            optimizer.step()
            torch.accelerator.synchronize()
        optimizer.zero_grad()
    switch(False)
    kind = torch.autograd.DeviceType.CUDA
    return sum(event.device_type == kind for event in profile.events())


step = {fill: kernels(fill) for fill in (False, True)}
measured = {
    "functions": len(FUNCTIONS),
    "filled": filled.count("nan"),
    "unfilled": unfilled.count("nan"),
    "tries": TRIES,
    "silent": sum(one == one for one in silent),
    "silent_sums": len(set(silent)),
    "loud": sum(one != one for one in loud),
    "extra_kernels": step[True] - step[False],
    "kernels": step[False],
    "by_type": {"table": by_type},
}
