"""
The sanitizer misses copies in inference mode
=============================================

Does PyTorch's CUDA sanitizer check a program under ``torch.inference_mode()``? Only in part.
There, ``to``, ``contiguous`` and ``reshape`` reach it whole, and their schemas say that they
return a view, so it takes their copies for no access. Under ``torch.no_grad()`` it finds them.
"""

import io
import re
from contextlib import redirect_stderr, suppress

import torch
from torch.cuda._sanitizer import CUDASanitizerErrors, enable_cuda_sanitizer

# %%
# The side stream fills a tensor with zeros, late, and the current stream reads it without waiting.

side = torch.cuda.Stream()
x = torch.ones(64, 64, device="cuda")
READS = {
    "to": lambda: x.to(torch.float64),
    "half": lambda: x.half(),
    "cpu": lambda: x.cpu(),
    "contiguous": lambda: x.t().contiguous(),
    "reshape": lambda: x.t().reshape(-1),
    "sum": lambda: x.sum(),
    "clone": lambda: x.clone(),
}


def read_early(read, hold=0):
    x.fill_(1)
    torch.cuda.synchronize()
    with torch.cuda.stream(side):
        if hold:
            torch.cuda._sleep(hold)
        x.zero_()
    return read()


# %%
# Is the result wrong? (``_sleep``, which holds the stream, is private to PyTorch.)

TRIES = 10


def is_wrong(read):
    with torch.inference_mode():
        got = read_early(read, 20_000_000)
        torch.cuda.synchronize()
        return got.sum().item() != 0


wrong = {}
for name, read in READS.items():
    is_wrong(read)  # not counted: the first launch of a kernel waits
    wrong[name] = sum(is_wrong(read) for _ in range(TRIES))

# %%
# Each report is recorded as the operations that it blames. The last program is right: two streams
# pass a tensor through a dropout that is switched off, which returns the tensor itself.


def blamed(race, mode):
    torch.cuda.synchronize()
    with redirect_stderr(io.StringIO()) as text, suppress(CUDASanitizerErrors), mode():
        race()
    torch.cuda.synchronize()
    return " after ".join(re.findall(r"^aten::\w+", text.getvalue(), re.M)) or "nothing"


MODES = torch.no_grad, torch.inference_mode


def reports(race):
    return {mode.__name__: blamed(race, mode) for mode in MODES}


dropout = torch.nn.Dropout().eval()


def two_dropouts():
    dropout(x)
    with torch.cuda.stream(side):
        dropout(x)


enable_cuda_sanitizer()
rows = []
for name, read in READS.items():
    row = {"read_by": name, "wrong": wrong[name]}
    rows.append(row | reports(lambda read=read: read_early(read)))
    print(rows[-1])
right = reports(two_dropouts)
print(right)

measured = {"tries": TRIES, "by_read": {"table": rows}}
measured |= {f"dropouts_in_{mode}": report for mode, report in right.items()}
