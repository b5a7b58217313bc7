"""
Graphed callables take an error mode
====================================

What if another thread takes memory while ``make_graphed_callables`` captures? By default, the
capture fails. With ``capture_error_mode="thread_local"``, which PyTorch 2.14 has, it does not.
"""

# sphinx_gallery_evidence = {"expected_warnings": [".*"], "timeout": 120}
# sphinx_gallery_quiet = "nothing"
import threading
from multiprocessing import get_context

import torch

# %%
# While the forward pass is captured, another thread works: as a loader does that pins its next
# batch, or as one that makes tensors on the GPU.

LINES = {
    "memory": 'torch.empty(2**26, device="cuda")',
    "pin": "host.pin_memory()",
}


class Busy(torch.nn.Module):
    def __init__(self, line, failed):
        super().__init__()
        self.linear = torch.nn.Linear(64, 64)
        self.line, self.failed = line, failed
        self.host = torch.ones(1000)

    def work(self):
        try:
            exec(self.line, {"torch": torch, "host": self.host})
        except Exception as error:
            self.failed["thread"] = str(error).splitlines()[0]

    def forward(self, x):
        y = self.linear(x)
        if torch.cuda.is_current_stream_capturing():
            (thread := threading.Thread(target=self.work)).start()
            thread.join()
        return y.relu()


# %%
# If the callable is made, do its result and its gradients equal those of the plain layer?


def right(graphed, module):
    x = torch.randn(32, 64, device="cuda")
    y = module.linear(x).relu()
    wanted = torch.autograd.grad(y.square().sum(), module.linear.weight)[0]
    module.zero_grad()
    got = graphed(x)
    got.square().sum().backward()
    gradient = module.linear.weight.grad
    return torch.allclose(got, y) and torch.allclose(gradient, wanted, 1e-3, 1e-3)


def attempt(pipe, name, options):
    failed = {}
    module = Busy(LINES[name], failed).cuda()
    module.work()  # once before, outside of a capture
    sample = torch.randn(32, 64, device="cuda")
    try:
        graphed = torch.cuda.make_graphed_callables(module, (sample,), **options)
    except Exception as error:
        failed["capture"] = str(error.__context__ or error).splitlines()[0]
    if "capture" not in failed:
        failed |= {} if right(graphed, module) else {"result": "wrong"}
    found = " and ".join(failed) + " failed" if failed else "worked"
    pipe.send((found, next(iter(failed.values()), "none")))


# %%
# A broken capture spoils more than itself, so that each case has a process of its own, forked
# before CUDA is used.

MODES = {
    "default": {},
    "global": {"capture_error_mode": "global"},
    "thread_local": {"capture_error_mode": "thread_local"},
    "relaxed": {"capture_error_mode": "relaxed"},
}
context, rows = get_context("fork"), []
for name in LINES:
    row, pipes = {"line": name}, {}
    for mode, options in MODES.items():
        pipes[mode], end = context.Pipe(duplex=False)
        context.Process(target=attempt, args=(end, name, options)).start()
        end.close()
    found = {mode: pipe.recv() for mode, pipe in pipes.items()}
    row |= {mode: outcome for mode, (outcome, _) in found.items()}
    rows.append(row | {"error": found["default"][1]})
print(*rows, sep="\n")

measured = {"by_line": {"table": rows}}
