"""
A compiled model learns in one block
====================================

One autocast block surrounds the whole loop: does a compiled model learn? Yes: its graph casts the
weights in each call. In eager mode, even an outer block that is off freezes them.
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

for model in (layer, compiled):
    with torch.autocast(device.type, dtype=torch.bfloat16):
        before = model(x)
        layer.weight.data.mul_(2)  # as an optimizer's step
        after = model(x)
    print(f"the same result: {torch.equal(before, after)}")

# %%
# A small model learns a product of two inputs, with a new batch in each step. All trainings start
# from the same weights.

from contextlib import nullcontext
from copy import deepcopy
from functools import partial

STEPS, LAST = 20, 5
torch.manual_seed(0)
inputs = torch.randn(STEPS, 512, 64, device=device)
targets = inputs[..., :1] * inputs[..., 1:2]


layers = torch.nn.Linear(64, 256), torch.nn.ReLU(), torch.nn.Linear(256, 1)
model = torch.nn.Sequential(*layers).to(device)
start = deepcopy(model.state_dict())


def train(runner, around, in_step, lr=0.01):
    model.load_state_dict(start)
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    losses = []
    with around():
        for step in range(STEPS):
            with in_step():
                output = runner(inputs[step])
                loss = torch.nn.functional.mse_loss(output, targets[step])
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            losses.append(loss.item())
    return losses


# %%
# How many losses are those of a loop with a block in each step, to the last bit? How many of the
# later ones are those of a loop whose weights never change, and how far do the last ones fall?

warnings.simplefilter("ignore")  # the compiler has some of its own


def compare(backend, dtype, outer_off=False):
    torch.compiler.reset()
    runner = torch.compile(model, backend=backend) if backend else model
    block = partial(torch.autocast, device.type, dtype)
    off = partial(torch.autocast, device.type, enabled=False)
    right = train(runner, nullcontext, block)
    still = train(runner, nullcontext, block, lr=0.0)
    contexts = (off, block) if outer_off else (block, nullcontext)
    around = train(runner, *contexts)
    as_right = sum(map(float.__eq__, around, right))
    stale = sum(map(float.__eq__, around[1:], still[1:]))
    return as_right, stale, sum(around[-LAST:]) / sum(still[-LAST:])


CASES = {
    "eager mode": {"backend": None},
    "eager mode, outer block off": {"backend": None, "outer_off": True},
    "aot_eager": {"backend": "aot_eager"},
    "inductor": {"backend": "inductor"},
    "inductor, outer block off": {"backend": "inductor", "outer_off": True},
}
rows = []
for case, options in CASES.items():
    _, fp16_stale, _ = compare(dtype=torch.float16, **options)
    as_right, stale, ratio = compare(dtype=torch.bfloat16, **options)
    row = {"case": case, "as_right": as_right, "stale": stale, "loss_ratio": ratio}
    rows.append({**row, "fp16_stale": fp16_stale})
    print(rows[-1])

measured = {"steps": STEPS, "later_steps": STEPS - 1, "by_case": {"table": rows}}
