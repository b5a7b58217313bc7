"""
A loop that clips trains like FP32
==================================

How does a whole loop with a gradient scaler and clipping look? It unscales before it clips and
updates once. It ends with the weights of the same loop in FP32; clipping first stops it.
"""

# sphinx_gallery_quiet = "nothing"
import torch

torch.manual_seed(0)
x = torch.randn(200, 64, 32, device="cuda")  # 200 batches of 64 rows
y = torch.tanh(x[..., :4].sum(-1, keepdim=True)) / 2
layers = torch.nn.Linear(32, 128), torch.nn.Tanh(), torch.nn.Linear(128, 1)
model = torch.nn.Sequential(*layers).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
scaler = torch.amp.GradScaler("cuda")  # made once, before the loop

for inputs, targets in zip(x, y):
    optimizer.zero_grad()
    with torch.autocast("cuda", torch.float16):  # around model and loss, not backward
        loss = torch.nn.functional.mse_loss(model(inputs), targets)
    scaler.scale(loss).backward()  # leaves scaled gradients
    scaler.unscale_(optimizer)  # from here on, .grad has its true size
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=0.25)
    scaler.step(optimizer)  # does not unscale again; skips infinities and NaN
    scaler.update()  # once, after the step
print(f"loss: {loss:.3f}")

# %%
# The same loop as text, so that lines can be taken out. The reference has no scaler, and an
# autocast block that is switched off.

from torch.nn.functional import mse_loss

LOOP = """
for inputs, targets in zip(x, y):
    optimizer.zero_grad()
    with torch.autocast("cuda", torch.float16):
        loss = mse_loss(model(inputs), targets)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=0.25)
    clipped += norm > 0.25
    scaler.step(optimizer)
    scaler.update()
"""
UNSCALE = "    scaler.unscale_(optimizer)\n"
CLIP = "    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=0.25)\n"
FP32 = LOOP.replace("float16)", "float16, enabled=False)")
PLAIN = FP32.replace(UNSCALE, "").replace("    scaler.update()\n", "")
PLAIN = PLAIN.replace("scaler.scale(loss)", "loss").replace("scaler.step(", "step(")
LOOPS = {
    "fp32": PLAIN,
    "mixed": LOOP,
    "scaler alone": FP32,
    "fused": LOOP,
    "groups": LOOP,
    "compiled": LOOP,
    "not clipped": LOOP.replace(CLIP, "").replace("    clipped += norm > 0.25\n", ""),
    "not unscaled": LOOP.replace(UNSCALE, ""),
    "clipped first": LOOP.replace(UNSCALE + CLIP, CLIP + UNSCALE),
    "no update": LOOP.replace("    scaler.update()\n", ""),
}

# %%
# Each loop begins with the same weights. The variations are a fused optimizer, a parameter group
# for each layer, and a compiled model, whose compiler may warn.

import warnings


def weights_of(model):
    return torch.cat([p.detach().flatten() for p in model.parameters()])


def run(way):
    torch.manual_seed(0)
    layers = torch.nn.Linear(32, 128), torch.nn.Tanh(), torch.nn.Linear(128, 1)
    model = torch.nn.Sequential(*layers).cuda()
    begin, parameters = weights_of(model), model.parameters()
    if way == "groups":
        parameters = [{"params": layers[i].parameters()} for i in (0, 2)]
    optimizer = torch.optim.SGD(parameters, lr=0.2, fused=way == "fused")
    names = globals() | {"model": model, "optimizer": optimizer, "clipped": 0}
    names |= {"scaler": torch.amp.GradScaler("cuda"), "step": lambda o: o.step()}
    row = {"way": way, "error": "none"}
    try:
        with warnings.catch_warnings(action="ignore"):
            if way == "compiled":
                names["model"] = torch.compile(model)
            exec(LOOPS[way], names)
    except RuntimeError as error:
        row["error"] = error
    with torch.no_grad():
        loss = mse_loss(model(x), y).item()
    row |= {"loss": loss, "scale": names["scaler"].get_scale()}
    return begin, weights_of(model), row | {"clipped": int(names["clipped"])}


# %%
# How far from the weights of FP32 does each loop end, as a share of the way that those went? The
# loop above must give the weights of its text, bit for bit.

begin, reference, _ = run("fp32")
untrained = mse_loss(torch.zeros_like(y), y).item()
rows = []
for way in LOOPS:
    _, weights, row = run(way)
    off = (weights - reference).norm() / (reference - begin).norm()
    row |= {"off_share": off.item(), "same": weights.equal(reference)}
    row["loss_share"] = row.pop("loss") / untrained
    rows.append(row)
    print(row)
measured = {
    "as_in_the_text": weights_of(model).equal(run("mixed")[1]),
    "steps": len(x),
    "ways": {"table": rows},
}
