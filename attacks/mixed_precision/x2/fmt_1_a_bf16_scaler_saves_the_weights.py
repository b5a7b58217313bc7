"""
Page: docs/amp/formats.md (claims bf16-needs-no-scaler, a-scaler-in-bf16-only-costs-time)
Sentences: "BF16 needs no scaler, and a scaler changes nothing: after the training, all weights have
the same bits with and without it"; "In BF16, a scaler only costs time".

Attack: what else a scaler does: it leaves out steps. (a) one batch with an infinite sample, (b) one
with a NaN target, (c) a loss above 2**112, whose scaled value leaves FP32, (d) a scale that is no power
of two (init_scale=1000), (e) a loss of weight 1e-33, whose gradients are subnormal in BF16. Same
model, data and order with and without the scaler. (f) is the control: ordinary data.

Refuted if with ordinary settings of the scaler the weights differ with and without it (a to c, e), in
particular if they are finite only with it.
"""

import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
STEPS, BAD = 30, 10
torch.manual_seed(0)
inputs = torch.randn(STEPS, 64, 32).to(device)
targets = torch.tanh(inputs[..., :8]).sum(-1, keepdim=True)


def train(case, scaled, kind):
    torch.manual_seed(1)
    layers = torch.nn.Linear(32, 64), torch.nn.Tanh(), torch.nn.Linear(64, 1)
    model = torch.nn.Sequential(*layers).to(device)
    optimizer = kind(model.parameters(), lr=0.01)
    scaler = torch.amp.GradScaler(device.type, enabled=scaled, init_scale=1000.0 if case == "odd scale" else 2.0**16)
    for step in range(STEPS):
        x, y = inputs[step].clone(), targets[step].clone()
        if step == BAD and case == "infinite sample":
            x[0, 0] = torch.inf
        if step == BAD and case == "NaN target":
            y[0] = torch.nan
        with torch.autocast(device.type, torch.bfloat16):
            loss = torch.nn.functional.mse_loss(model(x), y)
        if case == "tiny loss":
            loss = loss * 1e-33
        if step == BAD and case == "huge loss":
            loss = loss * 2.0**115
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
    return torch.cat([p.detach().flatten() for p in model.parameters()])


rows = []
for kind in (torch.optim.SGD, torch.optim.Adam):
    for case in ("ordinary", "infinite sample", "NaN target", "huge loss", "odd scale", "tiny loss"):
        plain, scaled = train(case, False, kind), train(case, True, kind)
        rows.append({
            "optimizer": kind.__name__, "case": case, "same_bits": plain.equal(scaled),
            "finite_without": plain.isfinite().all().item(), "finite_with": scaled.isfinite().all().item(),
        })
        print(rows[-1])
saved = [r for r in rows if r["finite_with"] and not r["finite_without"]]
differ = [r for r in rows if not r["same_bits"] and r["case"] not in ("odd scale",)]
if saved or differ:
    print("REFUTED: in BF16 a scaler changes more than the time: weights finite only with it: "
          + (", ".join(f"{r['optimizer']} {r['case']}" for r in saved) or "none")
          + "; other bits: " + ", ".join(f"{r['optimizer']} {r['case']}" for r in differ))
else:
    print("NOT REFUTED: bad batches, huge and tiny losses gave the same bits with and without a scaler")
