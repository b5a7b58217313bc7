"""
A bare "cuda" means the current GPU
===================================

On which GPU does a tensor land? It lands on the GPU that you name, such as ``"cuda:1"``. Without
an index, ``"cuda"`` means the current GPU, which is the first GPU until you choose another.
"""

# sphinx_gallery_evidence = {"gpus": 2}
import torch

x = torch.ones(2, device="cuda:1")  # with an index: that GPU
with torch.cuda.device(1):
    y = torch.ones(2, device="cuda")  # without one: the current GPU
z = torch.ones(2, device="cuda")  # the context is over
print(f"x: {x.device}, y: {y.device}, z: {z.device}, x + y: {(x + y).device}")

# %%
# A tensor shows which GPU is the current one. The first row is this process as it started.

import contextlib
from concurrent.futures import ThreadPoolExecutor


def bare():
    return str(torch.ones(1, device="cuda").device)


def in_a_new_thread(function):
    return ThreadPoolExecutor(1).submit(function).result()


at_start = bare()
opening = [str(tensor.device) for tensor in (x, y, z, x + y)]

# %%
# Four contexts make the second GPU the current one. Each is left twice, once by an error.

CONTEXTS = {
    "device": lambda: torch.cuda.device(1),
    "device_of": lambda: torch.cuda.device_of(x),
    "device_index": lambda: torch.accelerator.device_index(1),
    "stream": lambda: torch.cuda.stream(torch.cuda.Stream(device=1)),
}
contexts = []
for name, context in CONTEXTS.items():
    with context():
        row = {"way": name, "inside": bare()}
    row["after"] = bare()
    with contextlib.suppress(KeyError), context():
        raise KeyError
    contexts.append(row | {"after_error": bare()})
print(*contexts, sep="\n")

# %%
# Three calls choose the current GPU until the next such call. A stream is chosen with its GPU.

CALLS = {
    "set_device": lambda: torch.cuda.set_device(1),
    "set_device_index": lambda: torch.accelerator.set_device_index(1),
    "set_stream": lambda: torch.cuda.set_stream(torch.cuda.Stream(device=1)),
}
calls = []
for name, call in CALLS.items():
    in_a_new_thread(call)
    seen = {"way": name, "chosen_in_a_thread": bare()}
    call()
    seen |= {"after": bare(), "in_a_new_thread": in_a_new_thread(bare)}
    with torch.cuda.device(0):
        seen["in_a_context"] = bare()
    calls.append(seen | {"after_the_context": bare()})
    torch.cuda.set_stream(torch.cuda.default_stream(1))
    torch.cuda.set_device(0)
print(*calls, sep="\n")

# %%
# Other ways to name a GPU override the current GPU, which is the second one here. The tensor
# ``here`` is on the first.

here = torch.ones(1, device="cuda:0")
MADE = {
    "bare": lambda: torch.ones(1, device="cuda"),
    "cuda": lambda: torch.ones(1).cuda(),
    "to_bare": lambda: torch.ones(1).to("cuda"),
    "module": lambda: torch.nn.Linear(1, 1).cuda().weight,
    "no_device": lambda: torch.ones(1),
    "index": lambda: torch.ones(1, device="cuda:0"),
    "integer": lambda: torch.ones(1, device=0),
    "cuda_index": lambda: torch.ones(1).cuda(0),
    "to_index": lambda: torch.ones(1).to("cuda:0"),
    "sum": lambda: here + here,
    "new": lambda: here.new_zeros(1),
    "like": lambda: torch.zeros_like(here),
    "stays": lambda: here.to("cuda:0"),
    "moved": lambda: here.to("cuda"),
    "moved_by_cuda": lambda: here.cuda(),
}
with torch.cuda.device(1):
    made = [{"way": way, "device": str(make().device)} for way, make in MADE.items()]
print(*made, sep="\n")

# %%
# A device without an index never equals one with an index. Too large an index raises an error.

try:
    torch.ones(1, device=f"cuda:{torch.cuda.device_count()}")
except RuntimeError as failure:
    beyond = failure

measured = {
    "at_start": at_start,
    "opening": " ".join(opening),
    "contexts": {"table": contexts},
    "calls": {"table": calls},
    "made": {"table": made},
    "is_cuda": here.is_cuda,
    "equals_bare": here.device == torch.device("cuda"),
    "beyond": beyond,
    "usable_afterwards": bare() == "cuda:0",
}
