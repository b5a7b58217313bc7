"""Page: execution/sanitizer.md. "It finds operations ... that use a tensor without waiting for another stream." / "It takes functions
whose names begin with `new_` for reads" as what it flags wrongly.
Attack: two GPUs, of which the sanitizer asks only for the current GPU's stream (and both default streams have the address 0).
(a) right program: a tensor of cuda:1 is written inside the block of a side stream of cuda:0 and outside it: both times in cuda:1's
default stream. (b) wrong program: cuda:1's current stream is a side stream that writes, and cuda:1's default stream reads, while
cuda:0 is the current GPU for the write. Refuted if (a) is reported or (b), really wrong behind a held stream, is not.
"""
import io
import re
from contextlib import redirect_stderr, suppress
import torch
from torch.cuda._sanitizer import CUDASanitizerErrors, enable_cuda_sanitizer

if torch.cuda.device_count() < 2:
    raise RuntimeError("needs two GPUs")
x = torch.zeros(1000, device="cuda:1")
side0, side1 = torch.cuda.Stream(0), torch.cuda.Stream(1)


def sync():
    [torch.cuda.synchronize(i) for i in range(2)]


def right(hold=0):
    with torch.cuda.stream(side0):
        if hold:
            with torch.cuda.device(1):
                torch.cuda._sleep(hold)
        x.fill_(1)  # in cuda:1's default stream
    return x.sum()


def wrong(hold=0):
    with torch.cuda.stream(side1):
        if hold:
            torch.cuda._sleep(hold)
        with torch.cuda.device(0):
            x.fill_(1)  # in side1
    return x.sum()  # in cuda:1's default stream, not awaited


really = {}
for program in (right, wrong):
    program(1000)
    counts = 0
    for _ in range(10):
        sync(); x.zero_(); sync()
        total = program(20_000_000)
        sync()
        counts += total.item() != 1000
    really[program.__name__] = counts
    print(f"{program.__name__}: sum wrong in {counts} of 10")
if really["right"] or really["wrong"] != 10:
    raise RuntimeError(f"the programs are not what they should be: {really}")


def blamed(program):
    sync()
    with redirect_stderr(io.StringIO()) as text, suppress(CUDASanitizerErrors):
        program()
    sync()
    return " after ".join(re.findall(r"^aten::\w+", text.getvalue(), re.M)) or "nothing"


def control():
    with torch.cuda.stream(side1):
        x.fill_(1)
    with torch.cuda.device(1):
        x.sum()


enable_cuda_sanitizer()
reports = {program.__name__: blamed(program) for program in (control, right, wrong)}
print(reports)
if reports["control"] == "nothing":
    raise RuntimeError("control: the sanitizer is off")
bad = []
if reports["right"] != "nothing":
    bad.append(f"a right program is reported: {reports['right']}")
if reports["wrong"] == "nothing":
    bad.append("a race between two streams of the second GPU is not found")
print(f"REFUTED: {bad}" if bad else "NOT REFUTED: two GPUs, right and wrong program")
