"""
A loop with a gradient penalty trains like FP32
===============================================

How does a whole loop with a gradient scaler and a gradient penalty look? It scales the loss for
``autograd.grad``, divides what that returns by the scale, and scales the sum of loss and penalty.
"""

import torch

device = "cuda"
torch.manual_seed(0)
x = torch.randn(200, 64, 32, device=device)  # 200 batches of 64 rows
y = torch.tanh(x[..., :4].sum(-1, keepdim=True)) / 2
layers = torch.nn.Linear(32, 128), torch.nn.Tanh(), torch.nn.Linear(128, 1)
model = torch.nn.Sequential(*layers).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
scaler = torch.amp.GradScaler(device)

for inputs, targets in zip(x, y):
    optimizer.zero_grad()
    with torch.autocast(device, torch.float16):
        loss = torch.nn.functional.mse_loss(model(inputs), targets)
    scaled = scaler.scale(loss)  # this backward pass runs in FP16, too
    grads = torch.autograd.grad(scaled, model.parameters(), create_graph=True)
    grads = [grad / scaler.get_scale() for grad in grads]  # unscale_ knows only .grad
    with torch.autocast(device, torch.float16):
        penalty = sum(grad.pow(2).sum() for grad in grads).sqrt()
        total = loss + 0.1 * penalty
    scaler.scale(total).backward()  # as usual from here
    scaler.step(optimizer)
    scaler.update()
print(f"loss: {loss:.3f}, penalty: {penalty:.3f}")

# %%
# The same loop as text, so that parts can be taken out. The reference has no scaler, and autocast
# blocks that are switched off.

from torch.nn.functional import mse_loss

LOOP = """
for inputs, targets in zip(x, y):
    optimizer.zero_grad()
    with torch.autocast(device, torch.float16):
        loss = mse_loss(model(inputs), targets)
    scaled = scaler.scale(loss)
    grads = torch.autograd.grad(scaled, model.parameters(), create_graph=True)
    grads = [grad / scaler.get_scale() for grad in grads]
    with torch.autocast(device, torch.float16):
        penalty = sum(grad.pow(2).sum() for grad in grads).sqrt()
        total = loss + 0.1 * penalty
    scaler.scale(total).backward()
    scaler.step(optimizer)
    scaler.update()
"""
FP32 = LOOP.replace("float16)", "float16, enabled=False)")
PLAIN = FP32.replace(" / scaler.get_scale()", "").replace("    scaler.update()\n", "")
PLAIN = PLAIN.replace("scaler.scale", "").replace("scaler.step(", "step(")
LOOPS = dict.fromkeys(("mixed", "fused", "groups", "compiled"), LOOP) | {
    "fp32": PLAIN,
    "scaler alone": FP32,
    "without the penalty": LOOP.replace("0.1 *", "0.0 *"),
    "penalty not divided": LOOP.replace(" / scaler.get_scale()", ""),
    "sum not scaled": LOOP.replace("scaler.scale(total)", "total"),
    "loss not scaled": LOOP.replace("scaler.scale(loss)", "loss"),
}

# %%
# Variations are a fused optimizer, a parameter group for each layer, and a compiled model, whose
# compiler may warn. Where training fails, numbers grow without limit: a thousand is kept.

import warnings

MOST = 1000.0


def weights_of(model):
    return torch.cat([p.detach().flatten() for p in model.parameters()])


def limited(share):
    return min(share.nan_to_num(MOST, MOST).item(), MOST)


def run(way):
    torch.manual_seed(0)
    layers = torch.nn.Linear(32, 128), torch.nn.Tanh(), torch.nn.Linear(128, 1)
    model = torch.nn.Sequential(*layers).to(device)
    begin, parameters = weights_of(model), model.parameters()
    if way == "groups":
        parameters = [{"params": layers[i].parameters()} for i in (0, 2)]
    optimizer = torch.optim.SGD(parameters, lr=0.2, fused=way == "fused")
    names = globals() | {"model": model, "optimizer": optimizer}
    names |= {"scaler": torch.amp.GradScaler(device), "step": lambda o: o.step()}
    row = {"way": way, "error": "none"}
    try:
        with warnings.catch_warnings(action="ignore"):
            if way == "compiled":
                names["model"] = torch.compile(model)
            exec(LOOPS[way], names)
    except RuntimeError as error:
        row["error"] = error
    with torch.no_grad():
        row["loss_share"] = limited(mse_loss(model(x), y) / mse_loss(0 * y, y))
    row["scale_fell"] = names["scaler"].get_scale() < 2**16
    return begin, weights_of(model), row


# %%
# How far from the weights of FP32 does each loop end, as a share of the way that those went?

begin, reference, _ = run("fp32")
rows = []
for way in LOOPS:
    _, weights, row = run(way)
    off = (weights - reference).norm() / (reference - begin).norm()
    rows.append(row | {"off_share": limited(off), "same": weights.equal(reference)})
    print(rows[-1])
measured = {"as_in_the_text": weights_of(model).equal(run("mixed")[1])}
measured["ways"] = {"table": rows}
