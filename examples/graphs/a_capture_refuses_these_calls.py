"""
A capture refuses these calls
=============================

Which lines may stand in the capture of a CUDA graph? All of these work outside of one. Inside, some
are recorded, some raise an error that leaves the capture whole, and others break it.
"""

# sphinx_gallery_evidence = {"expected_warnings": ["This process"], "timeout": 120}
# sphinx_gallery_quiet = "nothing"
import re
import warnings
from contextlib import suppress
from multiprocessing import get_context

import torch
from torch import nn

# %%
# Lines that read values, copy, wait, draw random numbers, take memory, train, and use streams.

CALLS = """
item: x.sum().item() | if: 1 if x.sum() > 0 else 0 | tolist: x.tolist() | print: str(x)
cpu: x.cpu() | nonzero: x.nonzero() | mask: x[mask] | mask-assign: x[mask] = 0
where: torch.where(mask, x, 0) | unique: i.unique() | repeat: x[:2].repeat_interleave(i, 0)
pageable: x.copy_(host) | pageable-async: x.copy_(host, non_blocking=True)
pinned: x.copy_(pinned) | pinned-async: x.copy_(pinned, non_blocking=True) | fill: x[0] = 1
to-pinned: pinned.copy_(x, non_blocking=True) | to-cpu: x.to("cpu", non_blocking=True)
tensor: torch.tensor([1.0], device="cuda") | host-scalar: x + torch.tensor(1.0) | index: x[i]
index-list: x[[0, 2]] | synchronize: torch.cuda.synchronize() | event: event.record()
wait: here().synchronize() | empty-cache: torch.cuda.empty_cache() | inverse: torch.linalg.inv(x)
event-wait: event.record(); event.synchronize() | event-query: event.record(); event.query()
cross-entropy: nn.functional.cross_entropy(x, classes) | inverse-unchecked: torch.linalg.inv_ex(x)
generator: x.uniform_(generator=generator) | rand: torch.rand(8, device="cuda")
seed: torch.manual_seed(torch.initial_seed() + 1) | new-generator: torch.Generator("cuda")
get-state: torch.cuda.get_rng_state() | memory: torch.empty(2**28, device="cuda")
too-much: torch.empty(2**50, device="cuda") | pin: host.pin_memory() | sgd: sgd.step()
backward: model(x).sum().backward() | adam: adam.step() | replay: other.replay()
clip: nn.utils.clip_grad_norm_(weights, 1.0) | side-apart: use(side) | default: use(default)
checkpoint: torch.utils.checkpoint.checkpoint(model, x, use_reentrant=False).sum().backward()
side-joined: side.wait_stream(here()); use(side); here().wait_stream(side)
side-left: side.wait_stream(here()); use(side) | side-late: use(side); here().wait_stream(side)
default-joined: default.wait_stream(here()); use(default)
capture: with torch.cuda.graph(torch.cuda.CUDAGraph()): x + 1
"""

# %%
# The names that the lines use. ``use`` works in another stream.


def names():
    x, host, i = torch.eye(8).cuda() + 0.1, torch.eye(8), torch.tensor([2, 1]).cuda()
    pinned, mask, classes = host.pin_memory(), x > 0.5, i.repeat(4)
    model, side = nn.Linear(8, 8).cuda(), torch.cuda.Stream()
    model(x).sum().backward()
    weights, generator = list(model.parameters()), torch.Generator("cuda")
    sgd, adam = (kind(weights, 0.1) for kind in (torch.optim.SGD, torch.optim.Adam))
    default, here = torch.cuda.default_stream(), torch.cuda.current_stream
    event, other = torch.cuda.Event(), torch.cuda.CUDAGraph()
    with torch.cuda.graph(other):
        x + 1

    def use(stream):
        with torch.cuda.stream(stream):
            x.add_(1)

    return {**globals(), **locals()}


# %%
# A line runs outside of a capture, then inside one, behind an addition. What was recorded is
# replayed. A broken capture spoils more than itself: each line has its own process, forked early.


def attempt(pipe, code):
    warnings.simplefilter("ignore")
    known, z, error = names(), torch.zeros(8, device="cuda"), None
    with suppress(torch.OutOfMemoryError):
        exec(code, known)
    graph, result = torch.cuda.CUDAGraph(), "recorded"
    try:
        with torch.cuda.graph(graph):
            y = z + 1
            try:
                exec(code, known)
            except Exception as raised:
                error = raised
                raise
    except Exception as last:
        result = "refused" if last is error else "broken"
        error = error or last
    if result != "broken":
        graph.replay()
    is_right = result != "broken" and (y == 1).all().item()
    text = f"{type(error).__name__}: {error}" if error else "none"
    said = re.split(r"(?<=\.) |\n", text)[0]
    pipe.send({"result": result, "error": said, "replayed": is_right})


parts = [part for part in CALLS.replace("\n", " | ").split(" | ") if part]
context, rows = get_context("fork"), []
while parts:
    started = []
    for part in parts[:12]:
        pipe, end = context.Pipe(duplex=False)
        name, code = part.split(": ", 1)
        context.Process(target=attempt, args=(end, code)).start()
        end.close()
        started.append(({"call": name, "code": code}, pipe))
    rows += [row | pipe.recv() for row, pipe in started]
    del parts[:12]
rows.sort(key=lambda row: (row["result"], row["error"]))
print(*rows, sep="\n")

measured = {
    "lines": len(rows),
    "by_call": {"table": rows},
    "whole": sum(row["result"] != "broken" for row in rows),
    "replayed": sum(row["replayed"] for row in rows),
}
