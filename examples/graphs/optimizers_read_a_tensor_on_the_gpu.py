"""
Optimizers read a tensor on the GPU
===================================

Which optimizers follow a new learning rate in a CUDA graph? Only those that were given a tensor on
the GPU. With a number, or with a tensor on the host, a capture fails or freezes the learning rate.
"""

# sphinx_gallery_evidence = {"expected_warnings": ["This process"], "timeout": 120}
# sphinx_gallery_quiet = "nothing"
import warnings
from multiprocessing import get_context

import torch

# %%
# What is captured is one step, at a learning rate of one; then this becomes zero, and others. A
# tensor is filled in place; a number is replaced.

RATES = (0.0, 0.5, 3.0, 0.1)
CALLS = """
SGD(w, 1.0) | SGD(w, host()) | SGD(w, gpu()) | SGD(w, gpu(), foreach=False)
SGD(w, 1.0, fused=True) | SGD(w, host(), fused=True) | SGD(w, gpu(), fused=True) | Adam(w, 1.0)
Adam(w, 1.0, fused=True) | Adam(w, gpu(), fused=True) | Adam(w, 1.0, capturable=True)
Adam(w, 1.0, capturable=True, fused=True) | Adam(w, host(), capturable=True)
Adam(w, host(), capturable=True, fused=True) | Adam(w, gpu(), capturable=True)
Adam(w, gpu(), capturable=True, fused=True) | Adam(w, gpu(), capturable=True, foreach=False)
AdamW(w, 1.0) | AdamW(w, 1.0, capturable=True) | AdamW(w, gpu(), capturable=True)
RMSprop(w, 1.0) | RMSprop(w, gpu(), capturable=True)
RMSprop(w, gpu(), capturable=True, foreach=False) | Adagrad(w, 1.0)
Adagrad(w, gpu(), fused=True) | NAdam(w, gpu(), capturable=True)
RAdam(w, gpu(), capturable=True) | Adamax(w, gpu(), capturable=True)
Adadelta(w, gpu(), capturable=True) | Adadelta(w, gpu(), capturable=True, foreach=False)
"""


def host():
    return torch.tensor(1.0)


def gpu():
    return torch.tensor(1.0, device="cuda")


def set_rate(optimizer, rate):
    group = optimizer.param_groups[0]
    if isinstance(group["lr"], torch.Tensor):
        group["lr"].fill_(rate)
    else:
        group["lr"] = rate


# %%
# Two steps run before the capture. Each replay is compared, bit for bit, with the step of an equal
# optimizer without a graph: it leaves the weight where it is at a rate of zero alone.


def made(code):
    torch.manual_seed(0)
    weight = torch.nn.Parameter(torch.randn(1000, device="cuda"))
    weight.grad = torch.randn_like(weight)
    known = {**vars(torch.optim), "w": [weight], "host": host, "gpu": gpu}
    optimizer = eval(code, known)
    optimizer.step(), optimizer.step()
    return weight, optimizer


def replayed(code):
    (weight, captured), (twin, eager) = made(code), made(code)
    graph, followed = torch.cuda.CUDAGraph(), 0
    with torch.cuda.graph(graph):
        weight.grad.mul_(1)
        captured.step()
    for rate in RATES:
        before = twin.detach().clone()
        weight.detach().copy_(before)
        set_rate(captured, rate), set_rate(eager, rate)
        graph.replay(), eager.step()
        is_moved = not torch.equal(weight, before)
        followed += torch.equal(weight, twin) and is_moved == (rate > 0)
        if rate == 0:
            zero = "moves" if is_moved else "stays"
    return {"zero": zero, "followed": followed, "error": "none"}


# %%
# A broken capture spoils more than itself: each optimizer has a process of its own, forked early.


def attempt(pipe, code):
    warnings.simplefilter("ignore")
    try:
        pipe.send(replayed(code))
    except Exception as last:
        cause = last.__context__ or last
        error = f"{type(cause).__name__}: {cause}".splitlines()[0]
        pipe.send({"zero": "fails", "followed": 0, "error": error})


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

capturable = [row for row in rows if "gpu(), capturable=True" in row["optimizer"]]
others = [row for row in rows if "gpu()" not in row["optimizer"]]
measured = {
    "by_optimizer": {"table": rows},
    "rates": len(RATES),
    "follow_without_the_gpu": sum(row["followed"] > 0 for row in others),
    "follow_with_capturable": sum(row["followed"] == len(RATES) for row in capturable),
    "with_capturable": len(capturable),
}
