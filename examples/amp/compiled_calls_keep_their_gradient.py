"""
Compiled calls keep their gradient
==================================

A layer is compiled, and called once for each time step: is its gradient right under autocast? Yes:
each call casts the weight within its graph, and the gradients are added up in FP32.
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
torch.manual_seed(0)
layer = torch.nn.Linear(32, 32, bias=False, device=device)
compiled = torch.compile(layer, backend="aot_eager")
steps = torch.rand(1024, 8, 32, device=device)  # 1024 steps of 8 sequences

with torch.autocast(device.type, dtype=torch.bfloat16):
    outputs = [compiled(step).float().mean() for step in steps]
sum(outputs).backward()
print(f"norm of the gradient: {layer.weight.grad.norm().item():.0f}")

# %%
# All steps pull the weight in the same direction. The layer alone is compiled, or a function that
# calls it for a few steps, whose last one counts more.

USES, FEW, MORE = 1024, 64, 511
warnings.simplefilter("ignore")  # the compiler has some of its own


def step_by_step(layer):
    return sum(layer(step).double().mean() for step in steps)


def few_steps(layer):
    means = [layer(step).double().mean() for step in steps[:FEW]]
    return sum(means) + MORE * means[-1]


def within(layer):
    with torch.autocast(device.type, torch.bfloat16):
        return few_steps(layer)


# %%
# How far is each gradient from one without autocast, as a share of its norm?


def gradient(loss_of, given, **options):
    layer.zero_grad()
    with torch.autocast(device.type, torch.bfloat16, **options):
        loss = loss_of(given)
    loss.backward()
    return layer.weight.grad.double()


def error_share(found, truth):
    return ((found - truth).norm() / truth.norm()).item()


truth = gradient(step_by_step, layer, enabled=False)
rows = []
for mode in ("eager", "aot_eager", "inductor"):
    torch.compiler.reset()
    run = layer if mode == "eager" else torch.compile(layer, backend=mode)
    cached = gradient(step_by_step, run)
    uncached = gradient(step_by_step, run, cache_enabled=False)
    errors = {
        "cached_error_share": error_share(cached, truth),
        "uncached_error_share": error_share(uncached, truth),
    }
    rows.append({"mode": mode, **errors})
    print(rows[-1])

truth = gradient(few_steps, layer, enabled=False)
graph = torch.compile(few_steps, backend="aot_eager")
graph_within = torch.compile(within, backend="aot_eager")
measured = {
    "uses": USES,
    "few": FEW,
    "by_mode": {"table": rows},
    "few_eager_share": error_share(gradient(few_steps, layer), truth),
    "few_compiled_share": error_share(gradient(graph, layer), truth),
    "few_within_share": error_share(
        gradient(graph_within, layer, enabled=False), truth
    ),
}
print({name: value for name, value in measured.items() if "few" in name})
