"""
A loop that accumulates trains like FP32
========================================

How does a whole loop with a gradient scaler and gradient accumulation look? It scales every loss,
and unscales, clips, steps and updates once for each group of batches. Calls in each batch either
raise an error or lead to other weights.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.nn.functional import mse_loss
from torch.nn.utils import clip_grad_norm_

device, GROUP = "cuda", 4  # batches in a step
torch.manual_seed(0)
x = torch.randn(402, 64, 32, device=device)  # two batches are left over at the end
y = torch.tanh(x[..., :4].sum(-1, keepdim=True)) / 2
layers = torch.nn.Linear(32, 128), torch.nn.Tanh(), torch.nn.Linear(128, 1)
model = torch.nn.Sequential(*layers).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.4)
scaler = torch.amp.GradScaler(device)

for i, (inputs, targets) in enumerate(zip(x, y)):
    members = min(GROUP, len(x) - i // GROUP * GROUP)  # the last group is smaller
    with torch.autocast(device, torch.float16):
        loss = mse_loss(model(inputs), targets) / members  # batches of equal size
    scaler.scale(loss).backward()  # adds scaled gradients to scaled ones
    if (i + 1) % GROUP == 0 or i + 1 == len(x):  # the rest: once for each group
        scaler.unscale_(optimizer)
        clip_grad_norm_(model.parameters(), max_norm=0.5)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
print(f"loss: {loss * members:.3f}")

# %%
# The same loop as text. In four of its forms, calls that belong to a group come too often or early.
# The reference has no scaler and no autocast; another one takes each group as one large batch.

EACH = """
for i, (inputs, targets) in enumerate(zip(x, y)):
    members = min(GROUP, len(x) - i // GROUP * GROUP)
    with torch.autocast(device, torch.float16):
        loss = mse_loss(model(inputs), targets) / members
    scaler.scale(loss).backward()
"""
FIRST = "    if i % GROUP == 0:\n"
IF = "    if (i + 1) % GROUP == 0 or i + 1 == len(x):\n"
UNSCALE, STEP, UPDATE, CLEAR = (
    f"        {call}\n"
    for call in (
        "scaler.unscale_(optimizer)",
        "clip_grad_norm_(model.parameters(), max_norm=0.5)\n        scaler.step(optimizer)",
        "scaler.update()",
        "optimizer.zero_grad()",
    )
)
LOOP = EACH + IF + UNSCALE + STEP + UPDATE + CLEAR
FP32 = LOOP.replace("float16)", "float16, enabled=False)")
PLAIN = FP32.replace(UNSCALE, "").replace(UPDATE, "").replace("scaler.step(", "step(")
PLAIN = PLAIN.replace("scaler.scale(loss)", "loss")
LARGE = PLAIN.replace("zip(x, y)", "zip(x.split(GROUP), y.split(GROUP))")
LARGE = LARGE.replace(" / members", "").replace(IF, "    if True:\n")
LOOPS = dict.fromkeys(("mixed", "fused", "groups", "compiled"), LOOP) | {
    "fp32": PLAIN,
    "large batches": LARGE,
    "scaler alone": FP32,
    "update each": EACH + UPDATE[4:] + IF + UNSCALE + STEP + CLEAR,
    "unscale each": EACH + UNSCALE[4:] + IF + STEP + UPDATE + CLEAR,
    "unscale and update each": EACH + UNSCALE[4:] + IF + STEP + CLEAR + UPDATE[4:],
    "unscale the first": EACH + FIRST + UNSCALE + IF + STEP + UPDATE + CLEAR,
}

# %%
# Each loop begins with the same weights. A fused optimizer, a parameter group for each layer and a
# compiled model, whose compiler may warn, must not change what comes out.

import warnings


def weights_of(model):
    return torch.cat([p.detach().flatten() for p in model.parameters()])


def run(way):
    torch.manual_seed(0)
    layers = torch.nn.Linear(32, 128), torch.nn.Tanh(), torch.nn.Linear(128, 1)
    model = torch.nn.Sequential(*layers).to(device)
    begin, parameters = weights_of(model), model.parameters()
    if way == "groups":
        parameters = [{"params": layers[i].parameters()} for i in (0, 2)]
    optimizer = torch.optim.SGD(parameters, lr=0.4, fused=way == "fused")
    names = globals() | {"model": model, "optimizer": optimizer}
    names |= {"scaler": torch.amp.GradScaler(device), "step": lambda o: o.step()}
    row = {"way": way, "error": "none"}
    try:
        with warnings.catch_warnings(action="ignore"):
            if way == "compiled":
                names["model"] = torch.compile(model)
            exec(LOOPS[way], names)
    except (RuntimeError, AssertionError) as error:
        row["error"] = error
    with torch.no_grad():
        row["loss_share"] = (mse_loss(model(x), y) / mse_loss(0 * y, y)).item()
    return begin, weights_of(model), row | {"scale": names["scaler"].get_scale()}


# %%
# How far from the weights of FP32 does each loop end, as a share of the way that those went?

begin, reference, _ = run("fp32")
rows = []
for way in LOOPS:
    _, weights, row = run(way)
    off = (weights - reference).norm() / (reference - begin).norm()
    rows.append(row | {"off_share": off.item(), "same": weights.equal(reference)})
    print(rows[-1])
measured = {"as_in_the_text": weights_of(model).equal(run("mixed")[1])}
measured["ways"] = {"table": rows}
