"""
Page: docs/amp/clipping.md (the head of the page)
Sentence: "Until then, each gradient is multiplied by the scale, so a threshold clips nearly every
step. A model that SGD trains then hardly moves".

Attack: the limits of "a threshold". (a) fine-tuning from near the optimum, where gradients are
small, with the default scale; (b) a scaler whose scale has fallen to 8 or 256 by overflows, or was
created with such an init_scale. The threshold is 1.0. Scaled gradients are clipped on purpose (no
`unscale_`), with SGD.

Refuted if in one of (a) or (b) clipping scaled gradients clips fewer than half of the steps and the
loss falls to less than a thousandth all the same (so the model moves), as with `unscale_`.
"""

import torch
from torch.nn.functional import mse_loss
from torch.nn.utils import clip_grad_norm_

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
STEPS, MOST = 100, 1.0
torch.manual_seed(0)
x = torch.randn(STEPS, 64, 32).to(device)
teacher = torch.nn.Linear(32, 1).to(device)
with torch.no_grad():
    y = teacher(x)


def train(noise, scale, unscale, lr):
    torch.manual_seed(1)
    model = torch.nn.Linear(32, 1).to(device)
    with torch.no_grad():
        for p, q in zip(model.parameters(), teacher.parameters()):
            p.copy_(q + noise * torch.randn_like(q))
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    scaler = torch.amp.GradScaler(device.type, init_scale=scale)
    clipped = 0
    first = mse_loss(model(x[0]), y[0]).item()
    for step in range(STEPS):
        with torch.autocast(device.type, torch.float16):
            loss = mse_loss(model(x[step]), y[step])
        scaler.scale(loss).backward()
        if unscale:
            scaler.unscale_(optimizer)
        clipped += (clip_grad_norm_(model.parameters(), MOST) > MOST).item()
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
    with torch.no_grad():
        last = mse_loss(model(x.flatten(0, 1)), y.flatten(0, 1)).item()
    return clipped, first, last


rows = []
for name, noise, scale, lr in (
    ("page's kind: far off, 65536", 0.1, 2.0**16, 0.05),
    ("near the optimum, 65536", 1e-6, 2.0**16, 0.05),
    ("small scale 8", 3e-2, 8.0, 0.05),
    ("small scale 256", 1e-3, 256.0, 0.05),
):
    wrong, right = train(noise, scale, False, lr), train(noise, scale, True, lr)
    rows.append({"case": name, "clipped_scaled": wrong[0], "clipped_unscaled": right[0],
                 "first": right[1], "last_scaled": wrong[2], "last_unscaled": right[2],
                 "ratio": wrong[2] / right[2]})
    print(rows[-1])

harmless = [r for r in rows if r["clipped_scaled"] < STEPS / 2
            and max(r["last_scaled"], r["last_unscaled"]) < r["first"] / 1000]
if harmless:
    print("REFUTED: clipping scaled gradients clipped few steps and trained as well: "
          + "; ".join(f"{r['case']}: {r['clipped_scaled']} of {STEPS} clipped, loss {r['first']:.1e} -> {r['last_scaled']:.1e} (unscaled first: {r['last_unscaled']:.1e})" for r in harmless))
else:
    print("NOT REFUTED: near the optimum, and with scales of 8 and 256, most steps were clipped or training suffered")
