"""
The sanitizer misjudges new tensors
===================================

Which functions that make a tensor does PyTorch's CUDA sanitizer misjudge? It assumes that functions
whose names end in ``_like`` write nothing, and so misses that their result is used too early. It
takes functions whose names begin with ``new_`` for reads, and so reports right programs. Neither an
LSTM, which returns its own weights, nor a sparse tensor, which has no memory of its own, fits in.
"""

import io
import re
from contextlib import redirect_stderr, suppress

import torch
from torch.cuda._sanitizer import CUDASanitizerErrors, enable_cuda_sanitizer

here, side = torch.cuda.current_stream(), torch.cuda.Stream()
x = torch.zeros(1000, device="cuda")
w = torch.ones(1000, device="cuda", requires_grad=True)
loss = w.sum()

# %%
# Each function fills a tensor in the current stream, and the side stream sums the tensor without
# waiting. The gradient of a sum is the initial gradient, expanded, which backward makes itself.

MAKERS = {
    "ones_like": lambda: torch.ones_like(x),
    "zeros_like": lambda: torch.zeros_like(x),
    "full_like": lambda: torch.full_like(x, 2),
    "rand_like": lambda: torch.rand_like(x),
    "gradient of a sum": lambda: torch.autograd.grad(loss, w, retain_graph=True)[0],
    "ones": lambda: torch.ones(1000, device="cuda"),
    "empty_like and fill_": lambda: torch.empty_like(x).fill_(1),
}


def add_up_aside(make):
    made = make()
    with torch.cuda.stream(side):
        return made.sum()


# %%
# That is wrong: with the current stream held, the side stream sums what the memory held before.
# (``_sleep`` is private to PyTorch and may change.) The sanitizer is still off.

TRIES, LEFT = 10, -7.0


def is_wrong(make):
    torch.full_like(x, LEFT), torch.full_like(loss, LEFT)  # freed at once
    torch.cuda.synchronize()
    torch.cuda._sleep(20_000_000)
    total = add_up_aside(make)
    torch.cuda.synchronize()
    return total.item() == 1000 * LEFT


wrong = {}
for name, make in MAKERS.items():
    is_wrong(make)  # not counted: the first launch of a kernel waits
    wrong[name] = sum(is_wrong(make) for _ in range(TRIES))

# %%
# Now the side stream writes to a tensor from which a function takes only the dtype, the device
# and perhaps the size. That is right without any wait, and so are two streams with one LSTM.

ASKERS = {
    "new_zeros": lambda: x.new_zeros(3),
    "new_ones": lambda: x.new_ones(3),
    "new_full": lambda: x.new_full((3,), 2),
    "new_empty": lambda: x.new_empty(3),
    "new_tensor": lambda: x.new_tensor([1, 2, 3]),
    "zeros": lambda: torch.zeros(3, device=x.device, dtype=x.dtype),
    "zeros_like": lambda: torch.zeros_like(x),
}


def ask_meanwhile(ask, before=x.zero_):
    with torch.cuda.stream(side):
        before()
    ask()


# %%
# Each case begins with all streams idle. Each report is recorded as the operations it blames.


def blamed(race, *arguments):
    torch.cuda.synchronize()
    with redirect_stderr(io.StringIO()) as text, suppress(CUDASanitizerErrors):
        race(*arguments)
    return " after ".join(re.findall(r"^aten::\w+", text.getvalue(), re.M)) or "nothing"


enable_cuda_sanitizer()
made = [
    {"made_by": name, "wrong": wrong[name], "report": blamed(add_up_aside, make)}
    for name, make in MAKERS.items()
]
asked = [
    {"asked_by": name, "report": blamed(ask_meanwhile, ask)}
    for name, ask in ASKERS.items()
]
linear, lstm = torch.nn.Linear(8, 8).cuda(), torch.nn.LSTM(8, 8).cuda()
shared = {"linear": lambda: linear(x.view(-1, 8)), "lstm": lambda: lstm(x.view(-1, 8))}
ran = [
    {"module": name, "reported": blamed(ask_meanwhile, run, run) != "nothing"}
    for name, run in shared.items()
]
embedding, said = torch.nn.Embedding(3, 8, sparse=True).cuda(), "no error"
try:
    embedding(torch.arange(3, device="cuda")).sum().backward()
except RuntimeError as error:
    said = str(error)
print(*made, *asked, *ran, said, sep="\n")

measured = {"tries": TRIES, "by_maker": {"table": made}, "by_asker": {"table": asked}}
measured |= {"by_module": {"table": ran}, "sparse_gradient_raised": said}
