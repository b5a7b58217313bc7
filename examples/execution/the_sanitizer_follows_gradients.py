"""
The sanitizer follows gradients
===============================

Does PyTorch's CUDA sanitizer find gradients that are used too early? It checks the operations of
backward passes like all others, and it knows the waits that backward itself inserts.
"""

# sphinx_gallery_quiet = "nothing"
import io
import re
from contextlib import redirect_stderr, suppress

import torch
from torch.cuda._sanitizer import CUDASanitizerErrors, enable_cuda_sanitizer

enable_cuda_sanitizer()
side = torch.cuda.Stream()
x = torch.ones(1000, device="cuda")
with redirect_stderr(io.StringIO()) as text, suppress(CUDASanitizerErrors):
    torch.cuda.set_stream(side)
    x.sum()  # without waiting for the stream that fills x
torch.cuda.set_stream(torch.cuda.default_stream())
report = re.sub(r"\n .*|\n.*trace:|=+\n", "", text.getvalue())  # no lines of code,
report = re.sub(r"\d{6,}", "...", report)  # no addresses
print(report)

# %%
# The report names both operations. The next cases use a gradient, and an initial gradient, before
# and after the necessary wait.

here = torch.cuda.current_stream()
w = torch.ones(1000, device="cuda", requires_grad=True)
w.grad = torch.zeros_like(w)


def aside(function, *arguments):
    with torch.cuda.stream(side):
        return function(*arguments)


def make_loss():
    return (3 * w).sum()


def gradient_used_at_once():
    aside(lambda: make_loss().backward())
    w.grad.sum()


def gradient_used_in_the_block():
    aside(lambda: (make_loss().backward(), w.grad.sum()))


def gradient_awaited():
    aside(lambda: make_loss().backward())
    here.wait_stream(side)
    w.grad.sum()


def backward_called_outside():
    aside(make_loss).backward()
    w.grad.sum()


def initial_gradient_used_at_once():
    loss, initial = aside(make_loss), torch.ones((), device="cuda")
    aside(loss.backward, initial)


def initial_gradient_like_the_loss():
    loss = aside(make_loss)
    aside(loss.backward, torch.ones_like(loss))


def initial_gradient_awaited():
    loss, initial = aside(make_loss), torch.ones((), device="cuda")
    side.wait_stream(here)
    aside(loss.backward, initial)


# %%
# A tensor is overwritten while another stream may still read it, or both streams read it.


def overwritten_while_read():
    x.sum()
    aside(x.zero_)


def read_in_both():
    x.sum()
    aside(x.sum)


# %%
# Each case begins with all streams idle. Each report is recorded as the operations that it
# blames.


def blamed(race):
    torch.cuda.synchronize()
    with redirect_stderr(io.StringIO()) as text, suppress(CUDASanitizerErrors):
        race()
    return " after ".join(re.findall(r"^aten::\w+", text.getvalue(), re.M)) or "nothing"


cases = (gradient_used_at_once, gradient_used_in_the_block, gradient_awaited)
cases += (backward_called_outside, initial_gradient_used_at_once)
cases += (initial_gradient_like_the_loss, initial_gradient_awaited)
cases += (overwritten_while_read, read_in_both)
rows = [{"case": case.__name__, "report": blamed(case)} for case in cases]
print(*rows, sep="\n")

lines = [
    {"line": n, "text": line} for n, line in enumerate(report.split("\n"), 1) if line
]
measured = {"reports": {"table": rows}, "first_report": {"table": lines}}
