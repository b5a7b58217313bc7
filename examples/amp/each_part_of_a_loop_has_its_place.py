"""
Each part of a loop has its place
=================================

What does one loop look like that accumulates, clips, schedules, averages, evaluates and resumes, in
mixed precision? Below it is a text: each part is taken out or moved, and what happens is recorded.
"""

# sphinx_gallery_quiet = "nothing"
import tempfile
import warnings
from pathlib import Path

LOOP = """
import os
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

GROUP, BATCH, STEPS, LIMIT, FILE = 4, 64, 120, 10.0, "run.pt"
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
x, unseen = torch.randn(2, 2048, 16, device=device)
y, wanted = (30 * data[:, :4].sum(1, keepdim=True).tanh() for data in (x, unseen))
y[::1000] += 3000  # a few wild ones, so that clipping matters
layers = nn.Linear(16, 64), nn.Tanh(), nn.Dropout(0.05), nn.Linear(64, 1)
model = nn.Sequential(*layers).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, STEPS)
scaler = torch.amp.GradScaler(device.type)
average = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.9)).eval()
parts = dict(model=model, optimizer=optimizer, scheduler=scheduler, scaler=scaler, average=average)
saved = torch.load(FILE) if os.path.exists(FILE) else {}
first, validation, norms = saved.pop("step", 0), [], []
for name, state in saved.items():
    parts[name].load_state_dict(state)

for step in range(first, STEPS):
    torch.manual_seed(step)  # a resumed run draws the same random numbers
    optimizer.zero_grad()
    for rows in torch.randint(len(x), (GROUP, BATCH)).to(device):
        with torch.autocast(device.type, dtype=torch.float16):
            loss = nn.functional.mse_loss(model(x[rows]), y[rows])
        scaler.scale(loss / GROUP).backward()
    scaler.unscale_(optimizer)  # once a group, before the norm
    norms.append(nn.utils.clip_grad_norm_(model.parameters(), LIMIT).item())
    scaler.step(optimizer)
    scale = scaler.get_scale()
    scaler.update()
    if scaler.get_scale() >= scale:  # the step was taken
        scheduler.step()
        average.update_parameters(model)
    if step % 30 == 29:
        with torch.no_grad(), torch.autocast(device.type, dtype=torch.float16):
            validation.append(nn.functional.mse_loss(average(unseen), wanted).item())
        states = {name: part.state_dict() for name, part in parts.items()}
        torch.save(states | {"step": step + 1}, FILE)
"""

# %%
# A run gives what the text leaves behind. It resumes where the one before it saved, if asked to.

FILE = Path(tempfile.mkdtemp(), "run.pt")


def run(change=("", ""), resume=False):
    if not resume:
        FILE.unlink(missing_ok=True)
    names, text = {}, LOOP.replace("run.pt", str(FILE)).replace(*change, 1)
    with warnings.catch_warnings(record=True, action="always") as raised:
        exec(text, names)
    return names | {"raised": [str(one.message) for one in raised]}


right = run()
run(("range(first, STEPS)", "range(first, 70)"))
resumed, equal = run(resume=True), right["torch"].equal
same = all(map(equal, *(found["model"].parameters() for found in (right, resumed))))
print(f"resumed after {resumed['first']} steps, with the same weights: {same}")


def seen(found):
    norms, weights = found["norms"], found["model"].parameters()
    return {
        "loss_ratio": found["validation"][-1] / right["validation"][-1],
        "clipped": sum(not norm <= found["LIMIT"] for norm in norms),
        "counted": found["scheduler"].last_epoch,
        "finite": all(weight.isfinite().all().item() for weight in weights),
        "warned": any("before `optimizer.step()`" in one for one in found["raised"]),
    }


# %%
# What is taken out, or moved, and what becomes of the loss and of the steps.

UNSCALE = "    scaler.unscale_(optimizer)"
RAISES = {
    "unscale_ for each batch": (UNSCALE, "    " + UNSCALE),
    "update left out": ("    scaler.update()\n", ""),
}
SILENT = {
    "nothing": ("", ""),
    "zero_grad left out": ("    optimizer.zero_grad()\n", ""),
    "not divided by the group": ("loss / GROUP", "loss"),
    "unscale_ left out": (UNSCALE, "    pass"),
    "clipping left out": ("parameters(), LIMIT", "parameters(), torch.inf"),
    "step left out": ("    scaler.step(optimizer)\n", ""),
    "optimizer.step instead": ("scaler.step(optimizer)", "optimizer.step()"),
    "scheduler in any case": ("scaler.get_scale() >= scale", "True"),
    "the model evaluated": ("mse_loss(average(", "mse_loss(model("),
}
errors = []
for part, change in RAISES.items():
    try:
        run(change)
    except RuntimeError as error:
        errors.append({"part": part, "error": error})
rows = [{"part": part, **seen(run(change))} for part, change in SILENT.items()]
print(*errors, *rows, sep="\n")
measured = {"steps": right["STEPS"], "resumed_after": resumed["first"], "same": same}
measured |= {"errors": {"table": errors}, "by_part": {"table": rows}}
