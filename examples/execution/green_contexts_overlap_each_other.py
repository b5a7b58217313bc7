"""
Green contexts overlap each other
=================================

Does a green context keep its part of the GPU to itself? No: ``GreenContext.create`` limits
how many multiprocessors its work may use, but two contexts that are created one after the
other get the same ones, and slow each other down.
"""

# sphinx_gallery_evidence = {"expected_warnings": ["`GreenContext"]}
import time
from statistics import median

import torch
from torch.cuda import GreenContext

x = torch.randn(2048, 2048, device="cuda")
part = GreenContext.create(num_sms=16, device_id=0)
part.set_context()  # the context's stream waits for the current one
y = x @ x  # runs on 16 multiprocessors
part.pop_context()  # and the former stream waits for the context's
print(y.sum().item())

# %%
# Work in a context is queued from a side stream, so that two contexts need not wait for each
# other. The work is a function over many elements, which uses all the multiprocessors that it may
# use, or a kernel that only sleeps, in a single thread. ``torch.cuda._sleep`` is private to PyTorch
# and may change.

SMS, ROUNDS, CALLS = 16, 5, 4
HOLD = SLEEP = 10_000_000  # cycles: about five milliseconds
contexts = [part, GreenContext.create(num_sms=SMS, device_id=0)]
sides = [torch.cuda.Stream() for _ in contexts]
values = torch.rand(2**26, device="cuda")
outs = [torch.empty_like(values) for _ in contexts]
here = torch.cuda.current_stream()
begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))


def compute(out):
    for _ in range(CALLS):
        torch.lgamma(values, out=out)


def sleep(_):
    torch.cuda._sleep(SLEEP)


# %%
# All work is queued while the current stream is held.


def seconds(work, used, streams=sides):
    torch.cuda.synchronize()
    torch.cuda._sleep(HOLD)
    begin.record()
    for number in used:
        streams[number].wait_event(begin)
        with torch.cuda.stream(streams[number]):
            contexts[number].set_context()
            work(outs[number])
            contexts[number].pop_context()
    for number in used:
        here.wait_stream(sides[number])
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / 1e3


def whole():
    torch.cuda.synchronize()
    torch.cuda._sleep(HOLD)
    begin.record()
    compute(outs[0])
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / 1e3


# %%
# Compare one context with the whole GPU, and two contexts at once with one: from two side streams,
# or from the same one. The variants take turns to come first.

warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    seconds(compute, (0, 1)), seconds(sleep, (0, 1)), whole()
CASES = {
    "whole": whole,
    "one": lambda: seconds(compute, (0,)),
    "two": lambda: seconds(compute, (0, 1)),
    "one_sleep": lambda: seconds(sleep, (1,)),
    "two_sleeps": lambda: seconds(sleep, (0, 1)),
    "in_one_stream": lambda: seconds(sleep, (0, 1), streams=sides[:1] * 2),
}
ratios = {"part": [], "compute": [], "sleeps": [], "in_one_stream": []}
for turn in range(ROUNDS):
    took = {case: CASES[case]() for case in sorted(CASES, reverse=turn % 2)}
    ratios["part"].append(took["one"] / took["whole"])
    ratios["compute"].append(took["two"] / took["one"])
    ratios["sleeps"].append(took["two_sleeps"] / took["one_sleep"])
    ratios["in_one_stream"].append(took["in_one_stream"] / took["one_sleep"])
print({name: round(median(found), 2) for name, found in ratios.items()})
right = bool((outs[0] == outs[1]).all())
sms = torch.cuda.get_device_properties(0).multi_processor_count

# %%
# Record the slowdowns of one context against the whole GPU, and of two contexts against one.

measured = {
    "sms": SMS,
    "sms_of_the_gpu": sms,
    "part_slowdown": {"samples": ratios["part"]},
    "two_slowdown": {"samples": ratios["compute"]},
    "two_sleeps_slowdown": {"samples": ratios["sleeps"]},
    "in_one_stream_slowdown": {"samples": ratios["in_one_stream"]},
    "equal": right,
}
