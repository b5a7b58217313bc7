"""Page: execution/sanitizer.md. "Each of the two [operations] comes with the line of code that called it, and so does the allocation of
the tensor." (and: "It finds operations, also those of backward passes")
Attack: the same two programs of the page's own examples: gradients used too early (the previous access is an operation of backward, in
the engine's thread), an initial gradient used too early (the later one is), a tensor made before the sanitizer was on, a parameter of a
module, memory that was allocated by an earlier tensor. Control: x.fill_ aside and x.sum here, x made under the sanitizer.
Refuted if a section of such a report names no line of this file.
"""
import io
import os
from contextlib import redirect_stderr, suppress
import torch
from torch.cuda._sanitizer import CUDASanitizerErrors, enable_cuda_sanitizer

NAME = os.path.basename(__file__)
before = torch.ones(1000, device="cuda")
side, here = torch.cuda.Stream(), torch.cuda.current_stream()
enable_cuda_sanitizer()
x = torch.ones(1000, device="cuda")
w = torch.ones(1000, device="cuda", requires_grad=True)
w.grad = torch.zeros_like(w)


def control():
    with torch.cuda.stream(side):
        x.fill_(1)
    x.sum()


def made_before():
    with torch.cuda.stream(side):
        before.fill_(1)
    before.sum()


def gradient_used_at_once():
    with torch.cuda.stream(side):
        (3 * w).sum().backward()
    w.grad.sum()


def fresh_gradient_used_at_once():
    w.grad = None
    with torch.cuda.stream(side):
        (3 * w).sum().backward()
    w.grad.sum()


def initial_gradient_used_at_once():
    with torch.cuda.stream(side):
        loss = (3 * w).sum()
    initial = torch.ones((), device="cuda")
    with torch.cuda.stream(side):
        loss.backward(initial)


def report(race):
    torch.cuda.synchronize()
    with redirect_stderr(io.StringIO()) as text, suppress(CUDASanitizerErrors):
        race()
    torch.cuda.synchronize()
    return text.getvalue()


bad = []
for race in (control, made_before, gradient_used_at_once, fresh_gradient_used_at_once, initial_gradient_used_at_once):
    text = report(race)
    if "data race" not in text:
        print(f"{race.__name__}: no report")
        if race is control:
            raise RuntimeError("control: the sanitizer is off")
        continue
    first, _, rest = text.partition("Previous access")
    second, mark, third = rest.partition("llocated with stack trace")
    has = {"access": NAME in first, "previous": NAME in second, "allocation": bool(mark) and NAME in third}
    print(f"{race.__name__}: names a line of this file: {has}")
    if not all(has.values()):
        missing = [part for part, value in has.items() if not value]
        print("    the report in short:", " | ".join(line.strip()[:90] for line in text.splitlines() if line.strip())[:900])
        bad.append(f"{race.__name__}: no line for {missing}")
        if race is control:
            raise RuntimeError("control: the parsing of the report is wrong")
print(f"REFUTED: {bad}" if bad else "NOT REFUTED: five races, each with its lines")
