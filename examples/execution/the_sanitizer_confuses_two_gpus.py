"""
The sanitizer confuses two GPUs
===============================

Can the CUDA sanitizer be trusted with several GPUs? No: it takes every operation for one in the
current GPU's stream. It reports a correct program that writes to another GPU, and misses a race
between two streams of a GPU that is not the current one.
"""

# sphinx_gallery_evidence = {"gpus": 2}

import io
import re
from contextlib import redirect_stderr, suppress

import torch
from torch.cuda._sanitizer import CUDASanitizerErrors, enable_cuda_sanitizer

x = torch.zeros(1000, device="cuda:1")
sides = torch.cuda.Stream(0), torch.cuda.Stream(1)

# %%
# A side stream of the first GPU does not matter to the second, so the first program is right: both
# its operations run in the second GPU's default stream. In the other two, a side stream of the
# second GPU writes, and its default stream reads without waiting.


def right():
    with torch.cuda.stream(sides[0]):
        x.fill_(1)
    return x.sum()


def wrong():
    with torch.cuda.stream(sides[1]), torch.cuda.device(0):
        x.fill_(1)
    return x.sum()


def wrong_on_the_current_gpu():
    with torch.cuda.stream(sides[1]):
        x.fill_(1)
    with torch.cuda.device(1):
        return x.sum()


# %%
# Both streams of the second GPU may be held, so that the sum comes too early wherever it does not
# wait. (``_sleep`` is private to PyTorch.)

PROGRAMS, TRIES = (right, wrong, wrong_on_the_current_gpu), 10


def synchronize():
    torch.cuda.synchronize(0)
    torch.cuda.synchronize(1)


def is_wrong(program):
    x.zero_()
    synchronize()
    held = torch.cuda.default_stream(1) if program is right else sides[1]
    with torch.cuda.stream(held):
        torch.cuda._sleep(20_000_000)
    total = program()
    synchronize()
    return total.item() != x.numel()


counts = []
for program in PROGRAMS:
    is_wrong(program)  # not counted: the first launch of a kernel may wait
    counts.append(sum(is_wrong(program) for _ in range(TRIES)))

# %%
# What does the sanitizer report?


def blamed(program):
    synchronize()
    with redirect_stderr(io.StringIO()) as text, suppress(CUDASanitizerErrors):
        program()
    synchronize()
    return " after ".join(re.findall(r"^aten::\w+", text.getvalue(), re.MULTILINE))


enable_cuda_sanitizer()
rows = []
for program, count in zip(PROGRAMS, counts, strict=True):
    row = {"program": program.__name__, "wrong": count}
    rows.append(row | {"report": blamed(program) or "nothing"})
    print(rows[-1])

measured = {"tries": TRIES, "by_program": {"table": rows}}
