"""
A green stream needs the usual waits
====================================

How do I use a green context without ``set_context()``? Take a stream of it: work in the stream has
the context's part of the GPU, forward and backward. It waits for other streams only if told to.
"""

# sphinx_gallery_evidence = {"expected_warnings": ["`GreenContext"]}
import time
from statistics import median

import torch
from torch.cuda import GreenContext

x = torch.ones(2**20, device="cuda", requires_grad=True)
context = GreenContext.create(num_sms=16, device_id=0)
green, here = context.Stream(), torch.cuda.current_stream()

green.wait_stream(here)
with torch.cuda.stream(green):
    loss = (3 * x).sum()
    loss.backward()
here.wait_stream(green)
print(x.grad.unique().item())

# %%
# Is the gradient right? The factor is written behind a kernel that only sleeps, in the green
# stream, or in the current one before. (``_sleep`` is private to PyTorch and may change.)

HOLD, TRIES = 20_000_000, 15  # cycles: about ten milliseconds
w = torch.full((2**20,), 3.0, device="cuda")


def is_wrong(held, waits, backward_inside, after):
    x.grad = torch.zeros_like(x)
    w.zero_()
    torch.cuda.synchronize()
    with torch.cuda.stream(held):
        torch.cuda._sleep(HOLD)
        w.fill_(3)
    if waits:
        green.wait_stream(here)
    with torch.cuda.stream(green):
        loss = (w * x).sum()
        if backward_inside:
            loss.backward()
    if not backward_inside:
        loss.backward()
    if after:
        here.wait_stream(green)
    with torch.cuda.stream(here):
        found = x.grad.clone()
    torch.cuda.synchronize()
    return bool((found != 3).any())


CASES = {
    "backward inside": (green, True, True, True),
    "backward outside": (green, True, False, True),
    "no wait before": (here, False, True, True),
    "a wait before": (here, True, True, True),
    "no wait behind": (green, True, True, False),
}
by_case = []
for name, case in CASES.items():
    is_wrong(*case)  # not counted: the first launch of a kernel may wait
    by_case.append({"case": name, "wrong": sum(is_wrong(*case) for _ in range(TRIES))})
    print(by_case[-1])

# %%
# Forward and backward passes over many elements, in the green stream and in another stream, by the
# GPU's time. Two streams of one context, and of two contexts, share what the contexts may use.

CALLS, ROUNDS = 4, 5
values = torch.rand(2**25, device="cuda", requires_grad=True)
usual, second = torch.cuda.Stream(), context.Stream()
another = GreenContext.create(num_sms=16, device_id=0)  # kept as long as its stream
WORK = {
    "forward": lambda: torch.lgamma(values.detach()),
    "backward": lambda: torch.lgamma(values).sum().backward(),
}


def seconds(streams, work):
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda.synchronize()
    torch.cuda._sleep(HOLD)
    begin.record()
    for stream in streams:
        stream.wait_event(begin)
        with torch.cuda.stream(stream):
            for _ in range(CALLS):
                WORK[work]()
    for stream in streams:
        here.wait_stream(stream)
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / 1000


PAIRS = {"one context": [green, second], "two contexts": [green, another.Stream()]}
RUNS = {(work, "whole"): ([usual], work) for work in WORK}
RUNS |= {(work, "green"): ([green], work) for work in WORK}
RUNS |= {("forward", name): (streams, "forward") for name, streams in PAIRS.items()}
warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    [seconds(*run) for run in RUNS.values()]
rounds = [{key: seconds(*run) for key, run in RUNS.items()} for _ in range(ROUNDS)]
measured = {"tries": TRIES, "sms": 16, "by_case": {"table": by_case}}
for name, key, base in (
    ("forward_slowdown", ("forward", "green"), ("forward", "whole")),
    ("backward_slowdown", ("backward", "green"), ("backward", "whole")),
    ("one_context_slowdown", ("forward", "one context"), ("forward", "green")),
    ("two_contexts_slowdown", ("forward", "two contexts"), ("forward", "green")),
):
    measured[name] = {"samples": [each[key] / each[base] for each in rounds]}
    print(name, round(median(measured[name]["samples"]), 2))
