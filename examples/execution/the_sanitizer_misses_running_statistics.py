"""
The sanitizer misses running statistics
=======================================

Which writes does PyTorch's CUDA sanitizer miss although its own thread dispatches them? It learns
from an operator's schema what is written, and ``batch_norm`` does not declare that it writes its
running statistics. Lists of tensors, ``out=`` and views are found.
"""

import io
import re
from contextlib import redirect_stderr, suppress

import torch
from torch.cuda._sanitizer import CUDASanitizerErrors, enable_cuda_sanitizer
from torch.nn import functional

# %%
# Each case writes the same tensor in a side stream, and the current stream sums it without waiting.

side = torch.cuda.Stream()
images = torch.ones(8, 64, 16, 16, device="cuda")
x, one = torch.zeros(64, device="cuda"), torch.ones(64, device="cuda")
variance, index = torch.ones(64, device="cuda"), torch.arange(64, device="cuda")
CASES = {
    "batch_norm, images": lambda: functional.batch_norm(
        images, x, variance, training=True
    ),
    "batch_norm, rows": lambda: functional.batch_norm(
        images[..., 0, 0], x, variance, training=True
    ),
    "instance_norm": lambda: functional.instance_norm(images, x, variance),
    "in place": lambda: x.fill_(1),
    "a view": lambda: x.view(8, 8).add_(1),
    "out=": lambda: torch.add(one, one, out=x),
    "index_put_": lambda: x.index_put_((index,), one),
    "_foreach_add_": lambda: torch._foreach_add_([x], 1),
    "_foreach_copy_": lambda: torch._foreach_copy_([x], [one]),
}


def race(write, hold=0):
    torch.cuda.synchronize()
    x.zero_()
    torch.cuda.synchronize()
    with torch.cuda.stream(side):
        if hold:
            torch.cuda._sleep(hold)
        write()
    return x.sum()


# %%
# Behind a kernel that only sleeps, is the sum really wrong? (``_sleep`` is private to PyTorch.)

wrong = {}
for name, write in CASES.items():
    race(write, 1000)  # not counted: the first launch of a kernel may wait
    first = race(write, 20_000_000)
    torch.cuda.synchronize()
    wrong[name] = bool(first != x.sum())

# %%
# And does the sanitizer report it?


def blamed(write):
    with redirect_stderr(io.StringIO()) as text, suppress(CUDASanitizerErrors):
        race(write)
    torch.cuda.synchronize()
    return " after ".join(re.findall(r"^aten::\w+", text.getvalue(), re.MULTILINE))


enable_cuda_sanitizer()
rows = []
for name, write in CASES.items():
    report = blamed(write)
    rows.append({"written": name, "wrong": wrong[name], "report": report or "nothing"})
    print(rows[-1])

found = [row["report"] != "nothing" for row in rows]
norms = ["batch_norm" in row["written"] for row in rows]
measured = {
    "cases": len(rows),
    "wrong": sum(row["wrong"] for row in rows),
    "norms": sum(norms),
    "norms_found": sum(f for f, n in zip(found, norms, strict=True) if n),
    "others": len(rows) - sum(norms),
    "others_found": sum(f for f, n in zip(found, norms, strict=True) if not n),
    "by_case": {"table": rows},
}
