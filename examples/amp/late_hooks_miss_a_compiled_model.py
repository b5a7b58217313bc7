"""
Late hooks miss a compiled model
================================

Do hooks work on a compiled model? Those that are there before its first call do. Hooks that come
later are not seen, until the compiler starts anew or the model runs in eager mode.
"""

# sphinx_gallery_evidence = {"fresh": True, "timeout": 240, "expected_warnings": [".*deprecated"]}
# sphinx_gallery_quiet = "nothing"
import os
import tempfile
import warnings

import torch

os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()  # nothing compiled before
found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
model = torch.nn.Sequential(
    torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 64)
).to(device)
x = torch.randn(8, 64, device=device)

compiled = torch.compile(model, backend="aot_eager")
with torch.autocast(device.type, dtype=torch.bfloat16):
    compiled(x)
    model[0].register_forward_hook(lambda *_: print("seen"))
    compiled(x)  # prints nothing
    with torch.compiler.set_stance("force_eager"):
        compiled(x)

# %%
# Each way begins with a new model, whose first weight is NaN, and a compiler that knows nothing.
# How many of the three layers' hooks are called in a run whose loss is NaN?

from contextlib import nullcontext

BACKENDS = (None, "aot_eager", "inductor")  # the first is eager mode
calls, losses = [], []


def run(model):
    block = torch.autocast(device.type, dtype=torch.bfloat16)
    with warnings.catch_warnings(action="ignore"), block:  # the compiler's own
        return model(x).float().square().mean()


def hooks_called(backend, late, reset=False, context=nullcontext):
    torch.compiler.reset()
    layers = torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 64)
    model = torch.nn.Sequential(*layers).to(device)
    model[0].weight.data[0, 0] = torch.nan
    runner = torch.compile(model, backend=backend) if backend else model
    if late:
        run(runner)
    for layer in model:
        layer.register_forward_hook(lambda *given: calls.append(given[0]))
    if reset:
        torch.compiler.reset()
    calls.clear()
    with context():
        losses.append(run(runner))
    return len(calls)


def eager():
    return torch.compiler.set_stance("force_eager")


WAYS = {
    "before the first call": {"late": False},
    "after the first call": {"late": True},
    "after it, then a reset": {"late": True, "reset": True},
    "after it, in forced eager mode": {"late": True, "context": eager},
}
rows = []
for way, options in WAYS.items():
    called = {
        backend or "eager": hooks_called(backend, **options) for backend in BACKENDS
    }
    rows.append({"way": way, **called})
    print(rows[-1])

measured = {
    "layers": len(model),
    "by_way": {"table": rows},
    "runs": len(losses),
    "nan": sum(loss.isnan().item() for loss in losses),
}
