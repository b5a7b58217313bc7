"""
Page: docs/amp/clipping.md (claim gradients-are-scaled-until-unscaled)
Sentence: "You may therefore log them after `scaler.step(optimizer)`, where they are not scaled;
with a fused optimizer, they are not scaled there." (words of the claim's check)

Attack: look after a step that was skipped. A fused kernel returns at once if it finds an infinity,
so it may not unscale; the unfused way unscales before it decides. One element of the gradients is
made infinite, the others are finite and are read after `scaler.step`. SGD, Adam and AdamW, fused
and not.

Refuted if the finite gradients are still about `scale` times those in FP64 after `scaler.step`.
"""

import copy

import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
layers = torch.nn.Linear(32, 64), torch.nn.Tanh(), torch.nn.Linear(64, 1)
start = torch.nn.Sequential(*layers).to(device)
x, y = torch.randn(256, 32).to(device), torch.randn(256, 1).to(device)
precise = copy.deepcopy(start).double()
torch.nn.functional.mse_loss(precise(x.double()), y.double()).backward()
reference = precise[2].weight.grad

rows = []
for optimizer_type in (torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW):
    for fused in (False, True):
        for overflow in (False, True):
            model = copy.deepcopy(start)
            optimizer = optimizer_type(model.parameters(), lr=0.0, fused=fused)
            scaler = torch.amp.GradScaler(device.type)
            with torch.autocast(device.type, torch.float16):
                loss = torch.nn.functional.mse_loss(model(x), y)
            scaler.scale(loss).backward()
            scale = scaler.get_scale()
            if overflow:
                model[0].weight.grad[0, 0] = torch.inf
            scaler.step(optimizer)
            ratio = (model[2].weight.grad.double().norm() / reference.norm()).item()
            scaler.update()
            rows.append({
                "optimizer": optimizer_type.__name__, "fused": fused, "overflow": overflow,
                "skipped": scaler.get_scale() < scale, "ratio": ratio,
                "scaled": ratio > scale / 2,
            })
            print(rows[-1])

scaled = [row for row in rows if row["scaled"]]
if scaled:
    print(f"REFUTED: after scaler.step the finite gradients are still scaled in {len(scaled)} cases: "
          + "; ".join(f"{r['optimizer']} fused={r['fused']} skipped={r['skipped']} x{r['ratio']:.0f}" for r in scaled))
else:
    print(f"NOT REFUTED: {len(rows)} cases with and without a skipped step, none scaled after scaler.step")
