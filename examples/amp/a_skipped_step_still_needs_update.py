"""
A skipped step still needs update
=================================

How do I skip a step myself, such as one with a large norm? Leave out the scaler's step alone, and
call its update in any case. Without the update, the next step raises an error; with gradients of
zero instead, an optimizer with momentum moves the weights all the same.
"""

# sphinx_gallery_quiet = "nothing"
import torch

gpu = torch.accelerator.current_accelerator(check_available=True)
device = gpu or torch.device("cpu")
model = torch.nn.Linear(8, 1).to(device)
optimizer = torch.optim.Adam(model.parameters())
scaler = torch.amp.GradScaler(device.type, init_scale=16.0)  # nothing overflows

for size in (1.0, 1.0, 500.0, 1.0):  # the third batch is an outlier
    optimizer.zero_grad()
    with torch.autocast(device.type, dtype=torch.float16):
        loss = model(torch.full((4, 8), size, device=device)).sum()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 100.0)
    if norm < 1000:  # False for a norm that is infinite or NaN, too
        scaler.step(optimizer)
    scaler.update()  # in any case
    print(f"norm {norm:.0f}, {'taken' if norm < 1000 else 'skipped'}")

# %%
# What stands in place of the last lines, for a batch that is to be skipped.

STEP, UPDATE = "scaler.step(optimizer)", "scaler.update()"
WAYS = {
    "step left out": UPDATE,
    "step and update left out": "",
    "unscale_ left out as well": "",
    "update without unscale_": UPDATE,
    "gradients of zero": f"optimizer.zero_grad(set_to_none=False); {STEP}; {UPDATE}",
    "no gradients": f"optimizer.zero_grad(); {STEP}; {UPDATE}",
}
OPTIMIZERS = {
    "adam": lambda weights: torch.optim.Adam(weights, lr=0.001),
    "fused": lambda weights: torch.optim.Adam(weights, lr=0.001, fused=True),
    "sgd": lambda weights: torch.optim.SGD(weights, lr=0.001),
    "momentum": lambda weights: torch.optim.SGD(weights, 0.001, momentum=0.9),
}


# %%
# Six steps, of which the third and the fifth are to be skipped. Which of them move a weight?

SKIPPED = 2, 4


def run(way, make):
    torch.manual_seed(0)
    model = torch.nn.Linear(8, 1).to(device)
    optimizer = make(model.parameters())
    scaler = torch.amp.GradScaler(device.type, init_scale=1024.0, growth_interval=3)
    names = {"optimizer": optimizer, "scaler": scaler}
    moved = taken = 0
    for step in range(6):
        optimizer.zero_grad()
        with torch.autocast(device.type, dtype=torch.float16):
            loss = model(torch.ones(4, 8, device=device)).square().sum()
        scaler.scale(loss).backward()
        before = model.weight.detach().clone()
        skip = step in SKIPPED
        try:
            if not (skip and "unscale_" in way):
                scaler.unscale_(optimizer)
            exec(WAYS[way] if skip else f"{STEP}; {UPDATE}", names)
        except (AssertionError, RuntimeError) as error:
            return str(error), error, moved, taken
        changed = not torch.equal(before, model.weight)
        moved += changed and skip
        taken += changed and not skip
    return "none", "none", moved, taken


rows = []
for way in WAYS:
    texts, errors, moved, taken = zip(*(run(way, make) for make in OPTIMIZERS.values()))
    row = {"way": way, "error": errors[0], "errors_agree": len(set(texts)) == 1}
    row |= {f"moved_by_{name}": moves for name, moves in zip(OPTIMIZERS, moved)}
    rows.append(row | {"others_taken": min(taken)})
    print(rows[-1])

# %%
# Steps that are to be skipped, and the others.

measured = {"skipped": len(SKIPPED), "others": 6 - len(SKIPPED)}
measured["by_way"] = {"table": rows}
