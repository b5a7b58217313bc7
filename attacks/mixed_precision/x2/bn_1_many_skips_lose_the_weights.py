"""
Page: docs/amp/batchnorm.md (the head, and the picture's caption)
Sentences: "The gradient scaler skipped the step and so protected the weights"; "The scaler protects
what the optimizer would change".

Attack: the steady state of many skips instead of the first. Each skip halves the scale; after some
144 defective batches in a row (a broken shard of data, a defective sensor), 1 / scale is infinite in
FP32. The next good batch then has finite gradients (zeros), no infinity is found, they are unscaled
to 0 * inf = NaN, and the step is taken. The page's network and defective sample, SGD and Adam, fused
and not, 100 to 170 defective batches, then good ones, with the page's own `put_back_after_a_skip`.

Refuted if a weight is NaN or infinite with an enabled scaler, although no single good batch is at fault.
"""

import copy

import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def make_batch(patterns, defect):
    labels = torch.randint(10, (32,))
    samples = patterns[labels] + 0.5 * torch.randn(32, 64)
    if defect:
        samples[0] = 60_000.0
    return samples.to(device), labels.to(device)


def step(model, optimizer, scaler, x, labels):
    saved = [buffer.clone() for buffer in model.buffers()]
    with torch.autocast(device.type, torch.float16):
        loss = nn.functional.cross_entropy(model(x), labels)
    optimizer.zero_grad()
    before = scaler.get_scale()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    if scaler.get_scale() < before:
        for buffer, kept in zip(model.buffers(), saved):
            buffer.copy_(kept)
        return True
    return False


rows, lost = [], []
for kind, options in ((torch.optim.SGD, {}), (torch.optim.SGD, {"fused": True}), (torch.optim.Adam, {}), (torch.optim.Adam, {"fused": True})):
    torch.manual_seed(0)
    patterns = torch.randn(10, 64)
    layers = nn.Linear(64, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, 10)
    model = nn.Sequential(*layers).to(device)
    optimizer = kind(model.parameters(), lr=0.01, **options)
    scaler = torch.amp.GradScaler(device.type)
    for _ in range(5):
        step(model, optimizer, scaler, *make_batch(patterns, False))
    skipped, row = 0, {"optimizer": kind.__name__, **options}
    for count in range(1, 171):
        skipped += step(model, optimizer, scaler, *make_batch(patterns, True))
        if count in (100, 140, 144, 150, 170):
            kept = [copy.deepcopy(part.state_dict()) for part in (model, optimizer, scaler)]
            scale = scaler.get_scale()
            was_finite = all(p.isfinite().all() for p in model.parameters())
            took = not step(model, optimizer, scaler, *make_batch(patterns, False))
            finite = all(p.isfinite().all() for p in model.parameters())
            row[count] = f"scale {scale:.1e}, good step taken {took}, weights finite {finite}"
            if was_finite and not finite:
                lost.append(f"{kind.__name__}{' fused' if options else ''} after {skipped} skips")
                break
            for part, state in zip((model, optimizer, scaler), kept):
                part.load_state_dict(state)
    rows.append({**row, "skipped": skipped})
    print(rows[-1])
if lost:
    print("REFUTED: one good batch after many skipped ones makes the weights NaN: " + "; ".join(lost))
else:
    print("NOT REFUTED: up to 170 skips in a row with four optimizers, the next good batch left the weights finite")
