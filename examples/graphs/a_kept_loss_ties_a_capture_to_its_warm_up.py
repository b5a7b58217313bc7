"""
A kept loss ties a capture to its warm-up
=========================================

Must the warm-up run in a side stream? Only if something, such as the last loss, keeps its autograd
graph: then the gradients are added up in the stream of the warm-up, which a capture must be able to
take in. The default stream cannot be taken in.
"""

# sphinx_gallery_evidence = {"expected_warnings": ["This process"], "timeout": 120}
# sphinx_gallery_quiet = "nothing"
import re
import warnings
from multiprocessing import get_context

import torch

# %%
# A model whose weights have the gradient one, for a batch of one row.

MODEL = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Linear(8, 1))
ROUNDS = 3


def warm_up(step, stream, is_kept):
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(ROUNDS):
            loss = step()
    torch.cuda.current_stream().wait_stream(stream)
    return loss if is_kept else None


def forward(model, x):
    return model(x).sum()


def training(model, x):
    model.zero_grad()
    loss = model(x).sum()
    loss.backward()
    return loss


def training_detached(model, x):
    return training(model, x).detach()


# %%
# The loss of the warm-up is kept or dropped, and the capture must give the same loss and gradients
# as a call without a graph.


def attempt(pipe, work, is_default, is_kept):
    warnings.simplefilter("ignore")
    model, x = MODEL.cuda(), torch.rand(4, 8).cuda()

    def step():
        return work(model, x)

    stream = torch.cuda.default_stream() if is_default else torch.cuda.Stream()
    kept = warm_up(step, stream, is_kept)
    graph = torch.cuda.CUDAGraph()
    try:
        with torch.cuda.graph(graph):
            loss = step()
    except Exception as error:
        both = map(str, (error.__context__ or error, error))
        found = [re.findall(r"cudaError\w+", e) or re.split(r"\.\s", e) for e in both]
        first, last = (names[0] for names in found)
        pipe.send({"result": "fails", "first": first, "last": last})
        return
    x.mul_(2)
    graph.replay()
    grads = [p.grad.clone() for p in model.parameters() if p.grad is not None]
    found = loss.detach().clone()
    del kept
    wanted = step()
    is_right = torch.allclose(found, wanted)
    for grad, p in zip(grads, model.parameters()):
        is_right = is_right and torch.allclose(grad, p.grad)
    pipe.send(
        {"result": "right" if is_right else "wrong", "first": "none", "last": "none"}
    )


# %%
# A broken capture spoils more than itself, so that each case has a process of its own, forked
# before CUDA is used.

context, started = get_context("fork"), []
for work in (forward, training, training_detached):
    for is_default in (True, False):
        for is_kept in (True, False):
            pipe, end = context.Pipe(duplex=False)
            task = (end, work, is_default, is_kept)
            context.Process(target=attempt, args=task).start()
            end.close()
            words = work.__name__, "default" if is_default else "side"
            row = {"case": ", ".join((*words, "kept" if is_kept else "deleted"))}
            started.append((row, pipe))
rows = [row | pipe.recv() for row, pipe in started]
print(*rows, sep="\n")

measured = {"rounds": ROUNDS, "by_case": {"table": rows}}
