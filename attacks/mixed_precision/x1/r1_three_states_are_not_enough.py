"""
Page: save_resume.md.
Sentence: "Save the state of the gradient scaler with those of the model and the optimizer, after
`update`. The resumed run then continues bit for bit, if training itself repeats bit for bit."
Attack: runs that repeat bit for bit and have what most trainings have: (a) a learning-rate scheduler
(cosine, warm-up, one with momentum), whose state the sentence does not name (nor does the caveat on
random numbers and the order of the data); (b) fused AdamW, SGD with momentum, default Adam loaded with
map_location="cuda" and "cpu"; (c) accumulation, saved after an update but in the middle of nothing;
(d) BatchNorm.
Refuted if a resumed run differs from the uninterrupted one where a repetition does not.
"""
import io

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
STEPS, SAVED = 40, 21
S = torch.optim.lr_scheduler


def new_run(make, norm, schedule):
    torch.manual_seed(1)
    layers = [nn.Linear(16, 64), nn.BatchNorm1d(64) if norm else nn.Identity(), nn.ReLU(), nn.Linear(64, 1)]
    model = nn.Sequential(*layers).to(device)
    optimizer = make(model.parameters())
    scaler = torch.amp.GradScaler(device, growth_interval=10)
    run = {"model": model, "optimizer": optimizer, "scaler": scaler}
    return run, schedule(optimizer) if schedule else None


def train(run, scheduler, steps):
    model, optimizer, scaler = run.values()
    for step in steps:
        generator = torch.Generator().manual_seed(step)
        inputs = torch.randn(128, 16, generator=generator).to(device)
        prices = 20 + 5 * inputs.sum(1, keepdim=True).sin()
        optimizer.zero_grad()
        with torch.autocast(device, torch.float16):
            loss = nn.functional.mse_loss(model(inputs), prices)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        old = scaler.get_scale()
        scaler.update()
        if scheduler and scaler.get_scale() >= old:
            scheduler.step()


def same(one, other):
    return all(torch.equal(a, b) for a, b in zip(one["model"].state_dict().values(), other["model"].state_dict().values()))


O = torch.optim
CASES = {
    "Adam": (lambda p: O.Adam(p, lr=0.01), False, None),
    "Adam, BatchNorm": (lambda p: O.Adam(p, lr=0.01), True, None),
    "AdamW fused": (lambda p: O.AdamW(p, lr=0.01, fused=True), False, None),
    "SGD momentum": (lambda p: O.SGD(p, lr=1e-3, momentum=0.9), False, None),
    "cosine": (lambda p: O.Adam(p, lr=0.01), False, lambda o: S.CosineAnnealingLR(o, STEPS)),
    "StepLR": (lambda p: O.Adam(p, lr=0.01), False, lambda o: S.StepLR(o, 8, 0.5)),
    "warm-up": (lambda p: O.Adam(p, lr=0.01), False, lambda o: S.LambdaLR(o, lambda n: min(1, (n + 1) / 10))),
    "exponential": (lambda p: O.Adam(p, lr=0.01), False, lambda o: S.ExponentialLR(o, 0.95)),
}
differ, repeat = [], []
for name, case in CASES.items():
    whole, schedule = new_run(*case)
    train(whole, schedule, range(SAVED))
    file = io.BytesIO()
    torch.save({key: part.state_dict() for key, part in whole.items()}, file)
    train(whole, schedule, range(SAVED, STEPS))
    again, schedule = new_run(*case)
    train(again, schedule, range(STEPS))
    repeats = same(whole, again)
    for place in (None, device, "cpu"):
        file.seek(0)
        saved = torch.load(file, map_location=place)
        run, schedule = new_run(*case)
        for key, part in run.items():
            part.load_state_dict(saved[key])
        train(run, schedule, range(SAVED, STEPS))
        equal = same(whole, run)
        print(name, "map_location", place, "repeats:", repeats, "resumed alike:", equal)
        if repeats and not equal:
            differ.append(f"{name} ({place})")
    repeat.append(repeats)
if not any(repeat):
    raise SystemExit("no run repeats: nothing can be judged")
if differ:
    print(f"REFUTED: these repeat bit for bit, but do not resume so from the three states: {differ}")
else:
    print(f"NOT REFUTED: {len(CASES)} runs with three map_locations resumed bit for bit")
