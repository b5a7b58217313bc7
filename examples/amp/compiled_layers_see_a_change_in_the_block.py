"""
Compiled layers see a change in the block
=========================================

A weight changes while an autocast block is open: does a compiled layer see it? Yes: its graph casts
the weight in each call. A layer that is left out of the graph uses the cached copy.
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
layer = torch.nn.Linear(64, 64, device=device)
compiled = torch.compile(layer, backend="aot_eager")
x = torch.randn(8, 64, device=device)

for run in (layer, compiled):
    with torch.no_grad(), torch.autocast(device.type, dtype=torch.bfloat16):
        before = run(x)
        layer.weight.mul_(2)
        print(f"the change is seen: {not torch.equal(before, run(x))}")

# %%
# Ways to change a weight in place, and a layer that ``torch.compile`` leaves out of the graph.


def load(layer):
    state = {name: 2 * value for name, value in layer.state_dict().items()}
    layer.load_state_dict(state)


CHANGES = {
    "mul_": lambda layer: layer.weight.mul_(2),
    "copy_": lambda layer: layer.weight.copy_(2 * layer.weight),
    "data": lambda layer: setattr(layer.weight, "data", 2 * layer.weight),
    "init": lambda layer: torch.nn.init.ones_(layer.weight),
    "load_state_dict": load,
}


class LeftOut(torch.nn.Linear):
    """A linear layer that runs in eager mode."""

    @torch.compiler.disable
    def forward(self, x):
        """Give what a linear layer gives."""
        return super().forward(x)


def build(backend, kind=torch.nn.Linear):
    torch.compiler.reset()
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.ReLU(), kind(64, 64)).to(device)
    return model, torch.compile(model, backend=backend) if backend else model


def is_seen(change, backend, kind):
    model, run = build(backend, kind)
    with torch.no_grad(), torch.autocast(device.type, torch.bfloat16):
        before = run(x)
        change(model[1])
        return not torch.equal(run(x), before)


# %%
# A block of the other 16-bit type is opened in the block, around the second call of the model.


def inner_type(backend):
    _, run = build(backend)
    with torch.autocast(device.type, torch.bfloat16):
        run(x)
        with torch.autocast(device.type, torch.float16):
            try:
                return str(run(x).dtype).removeprefix("torch.")
            except RuntimeError as raised:
                return type(raised).__name__


warnings.simplefilter("ignore")  # the compiler has some of its own
rows = []
for backend in (None, "aot_eager", "inductor"):
    row = {"mode": backend or "eager", "inner_type": inner_type(backend)}
    for name, kind in (("seen", torch.nn.Linear), ("left_out_seen", LeftOut)):
        row[name] = sum(is_seen(change, backend, kind) for change in CHANGES.values())
    rows.append(row)
    print(row)
measured = {"changes": len(CHANGES), "by_mode": {"table": rows}}
