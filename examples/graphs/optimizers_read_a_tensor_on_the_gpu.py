"""
Optimizers read a tensor on the GPU
===================================

Which optimizers follow a new learning rate in a CUDA graph? Only those that were given a tensor on
the GPU. With a number, or with a tensor on the host, a capture fails or freezes the learning rate.
"""

# sphinx_gallery_evidence = {"expected_warnings": ["This process"], "timeout": 120}
import warnings
from multiprocessing import get_context

import torch

# %%
# What is captured is one step; then the learning rate becomes zero. A tensor is filled in place; a
# number is replaced.

CALLS = """
SGD(w, 1.0) | SGD(w, host()) | SGD(w, gpu()) | SGD(w, gpu(), foreach=False)
SGD(w, 1.0, fused=True) | SGD(w, host(), fused=True) | SGD(w, gpu(), fused=True)
Adam(w, 1.0) | Adam(w, 1.0, fused=True) | Adam(w, gpu(), fused=True)
Adam(w, 1.0, capturable=True) | Adam(w, 1.0, capturable=True, fused=True)
Adam(w, host(), capturable=True) | Adam(w, host(), capturable=True, fused=True)
Adam(w, gpu(), capturable=True) | Adam(w, gpu(), capturable=True, fused=True)
Adam(w, gpu(), capturable=True, foreach=False) | AdamW(w, 1.0)
AdamW(w, 1.0, capturable=True) | AdamW(w, gpu(), capturable=True)
RMSprop(w, 1.0) | RMSprop(w, gpu(), capturable=True) | Adagrad(w, 1.0)
Adagrad(w, gpu(), fused=True) | NAdam(w, gpu(), capturable=True)
RAdam(w, gpu(), capturable=True) | Adamax(w, gpu(), capturable=True)
"""


def host():
    return torch.tensor(1.0)


def gpu():
    return torch.tensor(1.0, device="cuda")


# %%
# Two steps run before the capture. A broken capture spoils more than itself, so that each optimizer
# has a process of its own.


def attempt(pipe, code):
    warnings.simplefilter("ignore")
    weight = torch.nn.Parameter(torch.ones(1000, device="cuda"))
    weight.grad = torch.ones_like(weight).mul_(1)
    known = {**vars(torch.optim), "w": [weight], "host": host, "gpu": gpu}
    graph, error, cause = torch.cuda.CUDAGraph(), "none", None
    try:
        optimizer = eval(code, known)
        optimizer.step(), optimizer.step()
        with torch.cuda.graph(graph):
            weight.grad.mul_(1)
            optimizer.step()
    except Exception as last:
        cause = last.__context__ or last
        error = f"{type(cause).__name__}: {cause}".splitlines()[0]
    if cause:
        pipe.send({"zero": "fails", "error": error})
        return
    group = optimizer.param_groups[0]
    if isinstance(group["lr"], torch.Tensor):
        group["lr"].fill_(0)
    else:
        group["lr"] = 0.0
    before = weight.detach().clone()
    graph.replay()
    is_still = torch.equal(weight, before)
    pipe.send({"zero": "stays" if is_still else "moves", "error": error})


# %%
# The processes are forked before CUDA is used, a dozen at a time.

codes = [code for code in CALLS.replace("\n", " | ").split(" | ") if code]
context, rows = get_context("fork"), []
while codes:
    started = []
    for code in codes[:12]:
        pipe, end = context.Pipe(duplex=False)
        context.Process(target=attempt, args=(end, code)).start()
        end.close()
        started.append(({"optimizer": code}, pipe))
    rows += [row | pipe.recv() for row, pipe in started]
    del codes[:12]
print(*rows, sep="\n")


def count(zero, part=""):
    return sum(row["zero"] == zero and part in row["optimizer"] for row in rows)


measured = {
    "by_optimizer": {"table": rows},
    "follow_without_the_gpu": count("stays") - count("stays", "gpu()"),
    "follow_with_capturable": count("stays", "gpu(), capturable=True"),
    "with_capturable": sum(
        "gpu(), capturable=True" in row["optimizer"] for row in rows
    ),
}
