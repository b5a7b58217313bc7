"""
The sanitizer sees one race of four
===================================

Does PyTorch's CUDA sanitizer find these mistakes? It finds a kernel that uses what another
stream is still writing, but neither the host's mistakes nor memory that is reused too early.
"""

# sphinx_gallery_quiet = "nothing"
import io
import os
import re
import subprocess
import sys
from contextlib import redirect_stderr, suppress

import torch
from torch.cuda._sanitizer import CUDASanitizerErrors, enable_cuda_sanitizer

# %%
# An environment variable turns it on, here for a program with an obvious mistake.

PROGRAM = """
import torch
x = torch.ones(1000, device="cuda")
with torch.cuda.stream(torch.cuda.Stream()):
    x.sum()
"""
environment = os.environ | {"TORCH_CUDA_SANITIZER": "1"}
command = [sys.executable, "-c", PROGRAM]
program = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)

# %%
# A function turns it on as well. Start with the host's mistakes with pinned memory.

enable_cuda_sanitizer()
here, side = torch.cuda.current_stream(), torch.cuda.Stream()
pinned = torch.ones(2**20, pin_memory=True)
x = torch.ones(2**20, device="cuda")


def read_on_host():
    x.to("cpu", non_blocking=True).sum()


def write_on_host():
    x.copy_(pinned, non_blocking=True)
    pinned.fill_(1)


# %%
# Next, memory is reused while another stream reads it.


def reuse_memory():
    batch = pinned.to("cuda", non_blocking=True)
    side.wait_stream(here)
    with torch.cuda.stream(side):
        batch.sum()
    del batch
    pinned.to("cuda", non_blocking=True)


# %%
# Then a copy is not waited for, and the target is used in full, or without its first element.


def copy_aside():
    with torch.cuda.stream(side):
        x.copy_(pinned, non_blocking=True)


def use_at_once():
    copy_aside()
    x.sum()


def use_a_part():
    copy_aside()
    x[1:].sum()


# %%
# There are two correct ways: the stream waits, or the host polls until the copy is done.


def use_after_waiting():
    copy_aside()
    here.wait_stream(side)
    x.sum()


def use_after_asking():
    copy_aside()
    while not side.query():
        pass
    x.sum()


# %%
# What is reported for each, in terms of the operations that it blames?


def report(race):
    torch.cuda.synchronize()
    with redirect_stderr(io.StringIO()) as text, suppress(CUDASanitizerErrors):
        race()
    return " after ".join(re.findall(r"^aten::\w+", text.getvalue(), re.M)) or "nothing"


races = (read_on_host, write_on_host, reuse_memory, use_at_once, use_a_part)
races += (use_after_waiting, use_after_asking)
rows = [{"case": race.__name__, "report": report(race)} for race in races]
last_line = program.communicate()[1].splitlines()[-1]
print(*rows, last_line, sep="\n")

# %%
# The values are texts.

measured = {"last_line": last_line, "reports": {"table": rows}}
