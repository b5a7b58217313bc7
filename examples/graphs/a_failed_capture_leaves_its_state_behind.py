"""
A failed capture leaves its state behind
========================================

May a program go on after a capture has failed? Nothing is left behind, except for a graph of half
the work, after an error of Python's own or a refusal by PyTorch. Up to PyTorch 2.14, the program is
still in the stream of the capture after an error of CUDA, and must leave it itself.
"""

# sphinx_gallery_evidence = {"fresh": True}
# sphinx_gallery_quiet = "nothing"
import torch

x = torch.ones(1000, device="cuda")
print(x.sum().item())  # loads the kernel
home = torch.cuda.current_stream()
graph = torch.cuda.CUDAGraph()
try:
    with torch.cuda.graph(graph):
        print(x.sum().item())  # waits for the GPU
except RuntimeError as error:
    print(error)
    torch.cuda.set_stream(home)  # up to PyTorch 2.14, the block does not

# %%
# What is told of an attempt: whether another stream is current after it, and what random numbers
# say.


def first_line(error):
    return str(error).splitlines()[0]


def random_says():
    try:
        torch.rand(8, device="cuda")
    except RuntimeError as error:
        return first_line(error)
    return "nothing"


def attempt(work):
    torch.cuda.set_stream(home)
    graph = torch.cuda.CUDAGraph()
    try:
        with torch.cuda.graph(graph):
            work()
    except (RuntimeError, ValueError):
        pass
    strayed = torch.cuda.current_stream() != home
    torch.cuda.set_stream(home)
    return {"strayed": strayed, "random": random_says()}, graph


# %%
# The first attempt above has already failed. Do random numbers work, before and after a capture
# that works? Then come errors of Python's own and refusals by PyTorch, in the middle of the work.

spoiled = random_says()
y = torch.zeros(1000, device="cuda")
whole = torch.cuda.CUDAGraph()
with torch.cuda.graph(whole):
    y.add_(x)
repaired = random_says()

TRIES, host = 5, torch.zeros(1000)


def stops_half_way():
    y.add_(x)
    raise ValueError("the shapes do not fit")
    y.add_(x)


def copies_pageable_memory():
    y.add_(x)
    y.copy_(host)


def waits_for_the_gpu():
    y.add_(x)
    return y.sum().item()


stopped, half = zip(*(attempt(stops_half_way) for _ in range(TRIES)))
refused, _ = zip(*(attempt(copies_pageable_memory) for _ in range(TRIES)))

# %%
# What does a graph do whose capture was stopped half way? Then come errors of CUDA.

y.zero_()
half[0].replay()
added = y[0].item()
failed, broken = zip(*(attempt(waits_for_the_gpu) for _ in range(TRIES)))
try:
    broken[0].replay()
except RuntimeError as error:
    replayed = first_line(error)


def row(name, said):
    return {
        "error": name,
        "strayed": sum(one["strayed"] for one in said),
        "random_failed": sum(one["random"] != "nothing" for one in said),
    }


kinds = ("Python", stopped), ("PyTorch", refused), ("CUDA", failed)
measured = {
    "tries": TRIES,
    "by_error": {"table": [row(*kind) for kind in kinds]},
    "random_says": spoiled,
    "repaired": repaired == "nothing",
    "half_added": added,
    "replay_says": replayed,
}
print(measured)
