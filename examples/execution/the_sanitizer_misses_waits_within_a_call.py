"""
The sanitizer misses waits within a call
========================================

Which right programs does PyTorch's CUDA sanitizer report although the host has waited? It notes a
call's accesses after the call, so to it ``item()`` waits before it reads, and a later write seems
to overlap with the read. And of some waits it hears nothing.
"""

import io
import re
from contextlib import redirect_stderr, suppress

import torch
from torch.cuda._sanitizer import CUDASanitizerErrors, enable_cuda_sanitizer

side = torch.cuda.Stream()
x = torch.ones(1, device="cuda")
numbers = torch.randint(0, 3, (100, 4), device="cuda")

# %%
# A call makes the host wait for the side stream, and then the current stream writes what the call
# has read, or reads what the side stream has written. Each returns whether its numbers were right.


def item_then_write(hold):
    x.fill_(1)
    torch.cuda.synchronize()
    with torch.cuda.stream(side):
        hold()
        number = x.item()
    x.zero_()
    return number == 1


def cpu_then_write(hold):
    x.fill_(1)
    torch.cuda.synchronize()
    with torch.cuda.stream(side):
        hold()
        copy = x.cpu()
    x.zero_()
    return copy == 1


def item_wait_write(hold):
    x.fill_(1)
    torch.cuda.synchronize()
    with torch.cuda.stream(side):
        hold()
        number = x.item()
    side.synchronize()  # needless, but it is noted
    x.zero_()
    return number == 1


def unique_then_read(hold):
    x.fill_(1)
    torch.cuda.synchronize()
    with torch.cuda.stream(side):
        hold()
        x.zero_()
        torch.unique(numbers, dim=0)
    return x.sum() == 0


def unique_wait_read(hold):
    x.fill_(1)
    torch.cuda.synchronize()
    with torch.cuda.stream(side):
        hold()
        x.zero_()
        torch.unique(numbers, dim=0)
    side.synchronize()
    return x.sum() == 0


# %%
# Are all of them right while the side stream is held? (``_sleep`` is private to PyTorch.)

TRIES = 10
PROGRAMS = item_then_write, cpu_then_write, item_wait_write
PROGRAMS += unique_then_read, unique_wait_read
right = {}
for program in PROGRAMS:
    program(lambda: None)  # not counted: the first launch of a kernel waits
    tries = [program(lambda: torch.cuda._sleep(20_000_000)) for _ in range(TRIES)]
    right[program] = sum(map(bool, tries))

# %%
# And which does the sanitizer report? Each report is recorded as the operations that it blames.


def blamed(program):
    torch.cuda.synchronize()
    with redirect_stderr(io.StringIO()) as text, suppress(CUDASanitizerErrors):
        program(lambda: None)
    torch.cuda.synchronize()
    return " after ".join(re.findall(r"^aten::\w+", text.getvalue(), re.M)) or "nothing"


enable_cuda_sanitizer()
rows = []
for program in PROGRAMS:
    row = {"program": program.__name__, "right": right[program]}
    rows.append(row | {"report": blamed(program)})
    print(rows[-1])

measured = {"tries": TRIES, "by_program": {"table": rows}}
