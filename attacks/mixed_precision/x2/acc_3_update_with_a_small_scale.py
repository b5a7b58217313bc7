"""
Page: docs/amp/accumulation.md (claims an-update-hides-the-second-unscaling, unscaling-after-the-first-batch)
Sentence: "each call divides all earlier batches again, so only the last batch counts".

Attack: the steady state instead of the first use. The default scale of 65536 falls by overflows,
and init_scale may be given. With scales of 1, 2, 16 and 256 the earlier batches are divided by less. Same
model and data as the page's script; the gradients are compared with those of the last batch alone.
The same arms for `unscale_` after the first batch ("30000 or more as large as the right ones").

Refuted if for one scale the gradients are more than 10 % away from those of the last batch alone
(the page's bound is 0.15 %).
"""

import torch
from torch.nn.functional import mse_loss

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
GROUP, TRIES, ROWS = 4, 5, 32
generator = torch.Generator().manual_seed(1)
x = torch.randn(TRIES, GROUP, ROWS, 32, generator=generator).to(device)
y = torch.tanh(x[..., :8]).sum(-1, keepdim=True) / 10


def make_model(dtype=torch.float32):
    torch.manual_seed(0)
    layers = torch.nn.Linear(32, 64), torch.nn.Tanh(), torch.nn.Linear(64, 1)
    return torch.nn.Sequential(*layers).to(device, dtype)


def flat(model):
    return torch.cat([p.grad.double().flatten() for p in model.parameters()])


def reference(rows, targets):
    model = make_model(torch.float64)
    mse_loss(model(rows.double()), targets.double()).backward()
    return flat(model)


def got(way, scale, group):
    model = make_model()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
    scaler = torch.amp.GradScaler(device.type, init_scale=scale)
    for place in range(GROUP):
        with torch.autocast(device.type, torch.float16):
            loss = mse_loss(model(x[group, place]), y[group, place]) / GROUP
        scaler.scale(loss).backward()
        if way == "after_each_with_update" or place == 0:
            scaler.unscale_(optimizer)
        if way == "after_each_with_update" and place < GROUP - 1:
            scaler.update()
    scaler.step(optimizer)
    scaler.update()
    return flat(model)


most = {}
for scale in (65536.0, 256.0, 16.0, 2.0, 1.0):
    last_errors, sizes = [], []
    for group in range(TRIES):
        whole = reference(x[group].flatten(0, 1), y[group].flatten(0, 1))
        last = reference(x[group, -1], y[group, -1]) / GROUP
        each = got("after_each_with_update", scale, group)
        last_errors.append(((each - last).norm() / last.norm()).item())
        sizes.append((got("after_the_first", scale, group).norm() / whole.norm()).item())
    most[scale] = max(last_errors)
    print({"scale": scale, "most_error_against_last": max(last_errors), "after_the_first_size": min(sizes)})

far = {scale: error for scale, error in most.items() if error > 0.1}
if far:
    print("REFUTED: more than the last batch counts: " + "; ".join(f"scale {s:.0f}: {e:.0%} away from the last batch alone" for s, e in far.items()))
else:
    print(f"NOT REFUTED: scales of {[*most]}, at most {max(most.values()):.2%} away from the last batch alone")
