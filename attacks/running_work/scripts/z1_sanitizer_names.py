"""Page: execution/sanitizer.md. "It takes functions whose names begin with `new_` for reads." and "The sanitizer takes functions whose
names end in `_like` for operations that write nothing".
Attack: every new_ function (new_tensor, new_empty_strided, new_ones, new_full, new_empty) and every _like (randn_like, randint_like,
empty_like + read, ones_like of a CPU tensor with device="cuda", of another dtype, with memory_format, of an expanded tensor).
Refuted if one of the new_ is not reported as a read, or one of the _like is reported.
"""
import io
import re
from contextlib import redirect_stderr, suppress
import torch
from torch.cuda._sanitizer import CUDASanitizerErrors, enable_cuda_sanitizer

side = torch.cuda.Stream()
x = torch.zeros(1000, device="cuda")
cpu = torch.zeros(1000)
enable_cuda_sanitizer()
NEW = {"new_zeros": lambda: x.new_zeros(3), "new_ones": lambda: x.new_ones(3), "new_full": lambda: x.new_full((3,), 2),
       "new_empty": lambda: x.new_empty(3), "new_empty_strided": lambda: x.new_empty_strided((3,), (1,)),
       "new_tensor": lambda: x.new_tensor([1, 2, 3]), "new_tensor of a number": lambda: x.new_tensor(4.0)}
LIKE = {"ones_like": lambda: torch.ones_like(x), "randn_like": lambda: torch.randn_like(x), "randint_like": lambda: torch.randint_like(x, 5),
        "ones_like, other dtype": lambda: torch.ones_like(x, dtype=torch.float64),
        "ones_like of a CPU tensor": lambda: torch.ones_like(cpu, device="cuda"),
        "rand_like of a CPU tensor": lambda: torch.rand_like(cpu, device="cuda"),
        "full_like of a tensor value": lambda: torch.full_like(x, 3), "ones_like of an expanded one": lambda: torch.ones_like(x[:1].expand(1000))}


def blamed(race):
    torch.cuda.synchronize()
    with redirect_stderr(io.StringIO()) as text, suppress(CUDASanitizerErrors):
        race()
    torch.cuda.synchronize()
    return " after ".join(re.findall(r"^aten::\w+", text.getvalue(), re.M)) or "nothing"


def ask(make):
    def race():
        with torch.cuda.stream(side):
            x.zero_()
        make()
    return race


def early(make):
    def race():
        made = make()
        with torch.cuda.stream(side):
            made.sum()
    return race


bad = []
for name, make in NEW.items():
    report = blamed(ask(make))
    print(f"{name} while x is written: {report}")
    if report == "nothing":
        bad.append(f"{name} is not taken for a read")
for name, make in LIKE.items():
    report = blamed(early(make))
    print(f"{name} used too early: {report}")
    if report != "nothing":
        bad.append(f"{name} is taken for a write: {report}")
if blamed(early(lambda: torch.ones(1000, device="cuda"))) == "nothing":
    raise RuntimeError("control: the sanitizer is off")
print(f"REFUTED: {bad}" if bad else f"NOT REFUTED: {list(NEW)}, {list(LIKE)}")
