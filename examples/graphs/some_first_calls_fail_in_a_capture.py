"""
Some first calls fail in a capture
==================================

What must run before a capture? A library such as cuBLAS makes its handle in the first call of a
process, which fails in a capture. After a single call, in the default stream, the capture works.
"""

# sphinx_gallery_evidence = {"expected_warnings": ["This process"], "timeout": 120}
# sphinx_gallery_quiet = "nothing"
import re
import warnings
from multiprocessing import get_context

import torch
from torch import nn

# %%
# Each line is the first of its kind in its process, or the second.

CALLS = """
add: x + 1 | sum: x.sum(0) | softmax: x.softmax(0) | sort: x.sort()[0] | cumsum: x.cumsum(0)
matmul: x @ x | matmul-bf16: h @ h | batched-matmul: batch @ batch
rand: torch.rand(2**22, device="cuda").mean()
linear: nn.functional.linear(x, x, x[0]) | conv: nn.functional.conv2d(batch, batch[:, :, :3, :3])
attention: nn.functional.scaled_dot_product_attention(queries, queries, queries)
fft: torch.fft.rfft(x).abs() | inverse: torch.linalg.inv_ex(x)[0]
backward: torch.autograd.grad((w * x).sum(), w)[0]
"""


def names():
    torch.manual_seed(0)
    host = torch.rand(64, 64) + 64 * torch.eye(64)
    x, h, w = host.cuda(), host.bfloat16().cuda(), host.cuda().requires_grad_()
    batch = host.expand(4, 4, 64, 64).contiguous().cuda()
    queries = host.bfloat16().expand(1, 4, 64, 64).contiguous().cuda()
    return {"torch": torch, "nn": nn} | locals()


# %%
# The result of a replay is compared with that of the same call without a graph. That of "rand" is a
# mean: it is the same for any random numbers, within the tolerance, but not for what was not drawn.


def attempt(pipe, code, is_first):
    warnings.simplefilter("ignore")
    known = names()
    run = compile(code, "line", "eval")
    if not is_first:
        eval(run, known)
    graph = torch.cuda.CUDAGraph()
    try:
        with torch.cuda.graph(graph):
            y = eval(run, known)
    except Exception as last:
        error = last.__context__ or last
        said = re.split(r"(?<=\.) |\n", f"{type(error).__name__}: {error}")[0]
        pipe.send({"result": "fails", "error": said})
        return
    graph.replay()
    is_right = torch.allclose(y.double(), eval(run, known).double(), rtol=1e-2)
    pipe.send({"result": "right" if is_right else "wrong", "error": "none"})


# %%
# A broken capture spoils more than itself, so that each case has a process of its own, forked
# before CUDA is used.

parts = [part for part in CALLS.replace("\n", " | ").split(" | ") if part]
rows = [dict(zip(("call", "code"), part.split(": ", 1))) for part in parts]
context = get_context("fork")
for when in ("first", "second"):
    pipes = []
    for row in rows:
        pipe, end = context.Pipe(duplex=False)
        task = (end, row["code"], when == "first")
        context.Process(target=attempt, args=task).start()
        end.close()
        pipes.append(pipe)
    for row, pipe in zip(rows, pipes):
        found = pipe.recv()
        row[when] = found["result"]
        row["error"] = row.get("error", found["error"])
print(*rows, sep="\n")

measured = {
    "calls": len(rows),
    "by_call": {"table": rows},
    "second_right": sum(row["second"] == "right" for row in rows),
}
