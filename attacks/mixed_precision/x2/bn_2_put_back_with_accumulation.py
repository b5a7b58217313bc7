"""
Page: docs/amp/batchnorm.md (the head; claim statistics-put-back-after-a-skip)
Sentences: "Put the statistics back whenever a step is skipped"; "the loop keeps a copy of the buffers
from before the forward pass, and puts it back if the scale fell, which means that the step was
skipped. The statistics were lost in 0 of 5 tries".

Attack: more than one forward pass for a step. (a) gradients accumulated over four batches, with the
defective sample in the first, second or last one, the copy made before each forward pass as the page
says; (b) a forward pass in training mode without a backward pass (under `no_grad`, as for a teacher or
a metric, or a batch that is dropped): no step is skipped, so nothing is put back; (c) two optimizers
and one scaler: the scale falls although the step of the model with BatchNorm was taken.

Refuted if a statistic is lost in (a) or (b) although the loop puts the copy back whenever the scale
fell, or if in (c) the scale fell while this model's step was taken.
"""

import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
TRIES, STEPS, GROUP = 5, 6, 4


def make_batch(patterns, defect=False):
    labels = torch.randint(10, (32,))
    samples = patterns[labels] + 0.5 * torch.randn(32, 64)
    if defect:
        samples[0] = 60_000.0
    return samples.to(device), labels.to(device)


def start(seed):
    torch.manual_seed(seed)
    layers = nn.Linear(64, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, 10)
    model, patterns = nn.Sequential(*layers).to(device), torch.randn(10, 64)
    return model, patterns, torch.optim.SGD(model.parameters(), lr=0.1), torch.amp.GradScaler(device.type)


def lost(model):
    return not all(buffer.isfinite().all() for buffer in model.buffers())


def accumulate(seed, place):
    model, patterns, optimizer, scaler = start(seed)
    skipped = 0
    for step in range(STEPS):
        optimizer.zero_grad()
        for i in range(GROUP):
            x, labels = make_batch(patterns, step == 3 and i == place)
            saved = [buffer.clone() for buffer in model.buffers()]
            with torch.autocast(device.type, torch.float16):
                loss = nn.functional.cross_entropy(model(x), labels) / GROUP
            scaler.scale(loss).backward()
        before = scaler.get_scale()
        scaler.step(optimizer)
        scaler.update()
        if scaler.get_scale() < before:
            skipped += 1
            for buffer, copy in zip(model.buffers(), saved):
                buffer.copy_(copy)
    return skipped, lost(model)


def without_backward(seed):
    model, patterns, optimizer, scaler = start(seed)
    skipped = 0
    for step in range(STEPS):
        x, labels = make_batch(patterns)
        saved = [buffer.clone() for buffer in model.buffers()]
        with torch.autocast(device.type, torch.float16):
            with torch.no_grad():
                model(make_batch(patterns, step == 3)[0])
            loss = nn.functional.cross_entropy(model(x), labels)
        optimizer.zero_grad()
        before = scaler.get_scale()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        if scaler.get_scale() < before:
            skipped += 1
            for buffer, copy in zip(model.buffers(), saved):
                buffer.copy_(copy)
    return skipped, lost(model)


def two_optimizers(seed):
    model, patterns, optimizer, scaler = start(seed)
    other = nn.Linear(64, 1).to(device)
    second = torch.optim.SGD(other.parameters(), lr=0.1)
    x, labels = make_batch(patterns)
    weights = model[0].weight.detach().clone()
    with torch.autocast(device.type, torch.float16):
        loss = nn.functional.cross_entropy(model(x), labels)
        far = other(x * 1e3).float().square().mean() * 1e6
    before = scaler.get_scale()
    scaler.scale(loss).backward()
    scaler.scale(far).backward()
    scaler.step(optimizer)
    scaler.step(second)
    scaler.update()
    return scaler.get_scale() < before, not model[0].weight.equal(weights)


found = []
for place in (0, 1, GROUP - 1):
    results = [accumulate(seed, place) for seed in range(TRIES)]
    count = sum(r[1] for r in results)
    print({"case": f"accumulation, defect in batch {place}", "skipped": [r[0] for r in results], "lost": count, "of": TRIES})
    if count and all(r[0] for r in results):
        found.append(f"accumulation with the defect in batch {place + 1} of {GROUP}: lost in {count} of {TRIES}")
results = [without_backward(seed) for seed in range(TRIES)]
count = sum(r[1] for r in results)
print({"case": "forward pass without backward", "skipped": [r[0] for r in results], "lost": count, "of": TRIES})
if count:
    found.append(f"a forward pass without backward: lost in {count} of {TRIES}, skips {[r[0] for r in results]}")
results = [two_optimizers(seed) for seed in range(TRIES)]
count = sum(fell and taken for fell, taken in results)
print({"case": "two optimizers, one scaler", "scale_fell_and_step_taken": count, "of": TRIES})
if count:
    found.append(f"two optimizers: the scale fell and this model's step was taken in {count} of {TRIES}")
if found:
    print("REFUTED: putting back after a skip is not enough: " + "; ".join(found))
else:
    print("NOT REFUTED: accumulation with the defect in three places, no_grad passes and two optimizers kept the statistics")
