"""
Six lines make it mixed precision
=================================

What has to change in a training loop? It gets a gradient scaler, an autocast block around the
model and the loss, and three calls of the scaler. Weights and gradients stay in FP32. Without
the scaler's step and update, the gradients remain as large as the scale makes them.
"""

# sphinx_gallery_quiet = "nothing"
import torch

gpu = torch.accelerator.current_accelerator(check_available=True)
device = gpu or torch.device("cpu")
torch.manual_seed(0)
x, teacher = torch.randn(512, 64, device=device), torch.randn(64, 8, device=device)
layers = torch.nn.Linear(64, 256), torch.nn.ReLU(), torch.nn.Linear(256, 8)
model, y = torch.nn.Sequential(*layers).to(device), torch.tanh(x @ teacher)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
scaler = torch.amp.GradScaler(device.type)  # 1: made once, before the loop

for _ in range(50):
    optimizer.zero_grad()
    with torch.autocast(device.type, dtype=torch.float16):  # 2: around model and loss
        loss = torch.nn.functional.mse_loss(model(x), y)  # 3: indented
    scaler.scale(loss).backward()  # 4: instead of loss.backward()
    scaler.step(optimizer)  # 5: instead of optimizer.step()
    scaler.update()  # 6
print(f"loss {loss.item():.4f}, weights {model[0].weight.dtype}")

# %%
# Which types do the tensors of such a step have?


def type_of(*tensors):
    return " ".join({str(tensor.dtype).removeprefix("torch.") for tensor in tensors})


with torch.autocast(device.type, dtype=torch.float16):
    loss = torch.nn.functional.mse_loss(output := model(x), y)
parameters = list(model.parameters())
types = {"output_type": type_of(output), "loss_type": type_of(loss)}
types["weights_type"] = type_of(*parameters)
types["gradients_type"] = type_of(*(parameter.grad for parameter in parameters))

# %%
# The same loop as text, without and with mixed precision: its lines can be counted and changed.

import difflib

PLAIN = """
for _ in range(50):
    optimizer.zero_grad()
    loss = mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    losses.append(loss.detach())
"""
MIXED = """
scaler = torch.amp.GradScaler(device.type)
for _ in range(50):
    optimizer.zero_grad()
    with torch.autocast(device.type, dtype=torch.float16):
        loss = mse_loss(model(x), y)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    losses.append(loss.detach())
"""
difference = difflib.ndiff(PLAIN.splitlines(), MIXED.splitlines())
new_lines = sum(line.startswith("+ ") for line in difference)

# %%
# Seven loops, each run from several sets of weights. If the weights that come out are the same bit
# for bit, a change has no effect.

TRIES = 5
AUTOCAST_OFF = MIXED.replace("float16)", "float16, enabled=False)")
WITHOUT_UPDATE = MIXED.replace("    scaler.update()\n", "")
LOOPS = {
    "plain": PLAIN,
    "plain_again": PLAIN,
    "mixed": MIXED,
    "switched_off": AUTOCAST_OFF.replace("device.type)", "device.type, enabled=False)"),
    "scaler_alone": AUTOCAST_OFF,
    "autocast_alone": PLAIN.replace("    loss =", "    with bf16:\n        loss ="),
    "scale_alone": WITHOUT_UPDATE.replace("scaler.step(optimizer)", "optimizer.step()"),
}


def run(loop, seed):
    torch.manual_seed(seed)
    for parameter in parameters:
        torch.nn.init.normal_(parameter, std=parameter.shape[-1] ** -0.5)
    names = globals() | {"losses": [], "mse_loss": torch.nn.functional.mse_loss}
    names["bf16"] = torch.autocast(device.type, dtype=torch.bfloat16)
    names["optimizer"] = torch.optim.SGD(parameters, lr=0.1, momentum=0.9)
    exec(loop, names)
    weights = [parameter.detach().clone() for parameter in parameters]
    return torch.stack(names["losses"]).tolist(), weights


found, table = {}, []
for way, loop in LOOPS.items():
    row = {"way": way, "learnt": 0, "ruined": 0, "same_weights": 0}
    for seed in range(TRIES):
        losses, weights = found[way, seed] = run(loop, seed)
        row["learnt"] += losses[-1] < losses[0] / 2
        row["ruined"] += not losses[-1] < float("inf")
        plain = found["plain", seed][1]
        row["same_weights"] += all(map(torch.equal, weights, plain))
    table.append(row)
    print(row)
measured = {"tries": TRIES, "new_lines": new_lines, **types}
measured["by_way"] = {"table": table}
