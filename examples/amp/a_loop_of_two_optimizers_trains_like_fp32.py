"""
A loop of two optimizers trains like FP32
=========================================

How does a whole loop with several losses and optimizers look with a gradient scaler? One scaler
scales every loss and steps every optimizer, and is updated once. A second update spoils steps.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.nn.functional import mse_loss

device = "cuda"
torch.manual_seed(0)
x = torch.randn(200, 64, 32, device=device)  # 200 batches of 64 rows
y = torch.tanh(x[..., :8].unflatten(-1, (2, 4)).sum(-1)) / 2  # two tasks
trunk = torch.nn.Sequential(torch.nn.Linear(32, 128), torch.nn.Tanh()).to(device)
heads = torch.nn.ModuleList(torch.nn.Linear(128, 1) for _ in range(2)).to(device)
optimizers = [torch.optim.SGD(part.parameters(), lr=0.2) for part in (trunk, heads)]
scaler = torch.amp.GradScaler(device)  # one, since both losses reach the trunk

for inputs, targets in zip(x, y):
    for optimizer in optimizers:
        optimizer.zero_grad()
    with torch.autocast(device, torch.float16):
        features = trunk(inputs)
        pairs = zip(heads, targets.split(1, dim=-1))
        losses = [mse_loss(head(features), wanted) for head, wanted in pairs]
    torch.autograd.backward(scaler.scale(losses))  # scales every loss of the list
    for optimizer in optimizers:
        scaler.step(optimizer)  # each skips by itself
    scaler.update()  # once, after the last step
print(f"losses: {losses[0]:.3f} and {losses[1]:.3f}")

# %%
# The same loop as text, so that lines can be changed. In some forms, the gradients are unscaled
# first, or the scale grows often, so that a step may divide by another scale than its loss got.

BEGIN = """
for inputs, targets in zip(x, y):
    for optimizer in optimizers:
        optimizer.zero_grad()
    with torch.autocast(device, torch.float16):
        features = trunk(inputs)
        pairs = zip(heads, targets.split(1, dim=-1))
        losses = [mse_loss(head(features), wanted) for head, wanted in pairs]
"""
LIST = "    torch.autograd.backward(scaler.scale(losses))\n"
EACH = """    scaler.scale(losses[0]).backward(retain_graph=True)
    scaler.scale(losses[1]).backward()
"""
STEPS = "    for optimizer in optimizers:\n        scaler.step(optimizer)\n"
OFF = "float16, enabled=False)"
UNSCALE, ONCE = STEPS.replace("step", "unscale_"), "    scaler.update()\n"
LOOP, TWICE = BEGIN + LIST + STEPS + ONCE, BEGIN + LIST + STEPS + "    " + ONCE
FP32, GROWING = LOOP.replace("float16)", OFF), TWICE.replace("float16)", OFF)
LOOPS = dict.fromkeys(("mixed", "fused", "groups", "compiled"), LOOP) | {
    "fp32": FP32.replace(ONCE, "").replace("scaler.s", "s"),
    "scaler alone": FP32,
    "growing": FP32,
    "growing, two updates": GROWING,
    "two updates": TWICE,
    "unscaled": LOOP.replace(STEPS, UNSCALE + STEPS),
    "unscaled, two updates": TWICE.replace(STEPS, UNSCALE + STEPS),
    "backward each": BEGIN + EACH + STEPS + ONCE,
    "backward each, compiled": BEGIN + EACH + STEPS + ONCE,
}

# %%
# Each loop begins with the same weights.

import warnings


def weights_of(parts):
    parameters = (p for part in parts for p in part.parameters())
    return torch.cat([p.detach().flatten() for p in parameters])


def run(way):
    torch.manual_seed(0)
    trunk = torch.nn.Sequential(torch.nn.Linear(32, 128), torch.nn.Tanh()).to(device)
    heads = torch.nn.ModuleList(torch.nn.Linear(128, 1) for _ in range(2)).to(device)
    begin, groups = weights_of((trunk, heads)), [trunk.parameters(), heads.parameters()]
    if way == "groups":
        groups[1] = [{"params": head.parameters()} for head in heads]
    fused = way == "fused"
    optimizers = [torch.optim.SGD(group, lr=0.2, fused=fused) for group in groups]
    scale, interval = (2.0**-10, 3) if "growing" in way else (2.0**16, 2000)
    scaler = torch.amp.GradScaler(device, scale, growth_interval=interval)
    names = globals() | {"trunk": trunk, "heads": heads, "optimizers": optimizers}
    names |= {"scaler": scaler, "step": lambda o: o.step(), "scale": list}
    row = {"way": way, "error": "none"}
    try:
        with warnings.catch_warnings(action="ignore"):
            if "compiled" in way:
                names["trunk"] = torch.compile(trunk)
            exec(LOOPS[way], names)
    except RuntimeError as error:
        row["error"] = error
    with torch.no_grad():
        outputs = torch.cat([head(trunk(x)) for head in heads], dim=-1)
    share = (mse_loss(outputs, y) / mse_loss(0 * y, y)).item()
    return begin, weights_of((trunk, heads)), row | {"loss_share": share}


# %%
# How far from FP32's weights does each loop end, as a share of their way? Did the heads move?

HEADS = sum(p.numel() for p in heads.parameters())
begin, reference, _ = run("fp32")
rows = []
for way in LOOPS:
    _, weights, row = run(way)
    off = (weights - reference).norm() / (reference - begin).norm()
    row |= {"off_share": off.item(), "same": weights.equal(reference)}
    moved, wanted = ((w - begin)[-HEADS:].norm() for w in (weights, reference))
    rows.append(row | {"heads_moved_share": (moved / wanted).item()})
    print(rows[-1])
measured = {"as_in_the_text": weights_of((trunk, heads)).equal(run("mixed")[1])}
measured["ways"] = {"table": rows}
