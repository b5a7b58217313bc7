"""
A capture with DDP needs eleven steps
=====================================

How many steps must a model in ``DistributedDataParallel`` take before one is captured? Eleven are
enough, and a hundred are not: those to be logged make the step after them wait for the GPU.
"""

# sphinx_gallery_evidence = {"expected_warnings": ["This process"], "timeout": 180}
# sphinx_gallery_quiet = "nothing"
import copy
import os
import re
import warnings
from multiprocessing import get_context

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

NET = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1))
REPLAYS = 3


def train(model, optimizer, x):
    optimizer.zero_grad()
    model(x).square().mean().backward()
    optimizer.step()


# %%
# After some steps in a side stream, or forward passes alone, one step is captured and replayed.


def run(model, optimizer, x, batches, side, built, forward_only):
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for batch in batches[:-REPLAYS]:
            x.copy_(batch)
            model(x) if forward_only else train(model, optimizer, x)
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=side if built == "capturing" else None):
        train(model, optimizer, x)
    for batch in batches[-REPLAYS:]:
        x.copy_(batch)
        graph.replay()


# %%
# A sum over one process needs no NCCL. This hook lets it double the gradients, to show its part.


def doubled(_, bucket):
    twice = dist._make_nccl_premul_sum(2.0)
    work = dist.all_reduce(bucket.buffer(), op=twice, async_op=True)
    return work.get_future().then(lambda future: future.value()[0])


def outcome(function, *arguments):
    try:
        function(*arguments)
        torch.cuda.synchronize()
    except Exception as last:
        error = str(last.__context__ or last)
        return (re.findall(r"cudaError\w+", error) or re.split(r"\.\s", error))[0]
    return "none"


# %%
# The replays must leave the weights of a twin that takes the same steps without
# ``DistributedDataParallel`` and without a graph. Then the model takes a step without the graph.


def attempt(pipe, steps, built="", forward_only=False, hook=None, rate=100, **options):
    side, default = torch.cuda.Stream(), torch.cuda.default_stream()
    batches, x = torch.rand(steps + REPLAYS, 64, 8).cuda(), torch.rand(64, 8).cuda()
    net, twin = (copy.deepcopy(NET).cuda() for _ in range(2))
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    other = torch.optim.SGD(twin.parameters(), 0.2 if hook else 0.1)
    for batch in batches[-REPLAYS:] if forward_only else batches:
        train(twin, other, batch)
    device, store = torch.device("cuda", 0), dist.HashStore()
    dist.init_process_group("nccl", store=store, rank=0, world_size=1, device_id=device)
    with torch.cuda.stream(default if built == "default" else side):
        model = DistributedDataParallel(net, **options)
    model._set_ddp_runtime_logging_sample_rate(rate)
    if hook:
        model.register_comm_hook(None, hook)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        error = outcome(run, model, optimizer, x, batches, side, built, forward_only)
        same = map(torch.allclose, net.parameters(), twin.parameters())
        right = error == "none" and all(same)
        with torch.cuda.stream(side):
            later = outcome(train, model, optimizer, x) if right else "not tried"
    warned = any("AccumulateGrad" in str(w.message) for w in caught)
    pipe.send({"right": right, "warned": warned, "error": error, "later": later})
    os._exit(0)  # a broken capture may leave a group that waits for ever


# %%
# A broken capture spoils more than itself: each case has a process, forked before CUDA is used.

cases = {f"{n} steps": (n, {}) for n in (0, 1, 2, 10, 11, 12, 98, 99, 100, 101)}
cases["11 steps, built in the default stream"] = 11, {"built": "default"}
cases["11 steps, built in the capturing stream"] = 11, {"built": "capturing"}
cases["11 forward passes"] = 11, {"forward_only": True}
cases["11 steps, NCCL doubles"] = 11, {"hook": doubled}
cases["11 steps, static graph"] = 11, {"static_graph": True}
cases["100 steps, each thousandth logged"] = 100, {"rate": 1000}
context, started = get_context("fork"), []
for case, (steps, settings) in cases.items():
    pipe, end = context.Pipe(duplex=False)
    context.Process(target=attempt, args=(end, steps), kwargs=settings).start()
    end.close()
    started.append((case, pipe))
rows = [{"case": case} | pipe.recv() for case, pipe in started if pipe.poll(60)]
print(*rows, sep="\n")

measured = {"replays": REPLAYS, "tried": len(cases), "by_case": {"table": rows}}
