"""
Page: first_nan.md (and grad_scaler.md: "turn anomaly detection on after the first steps").
Sentence: "Right: anomaly mode without a scaler, in BF16, or once the scale has come down. ... with a scaler
if anomaly mode begins after the skipped steps."
Attack: go on. The page ran 40 steps; after 2,000 good ones the scaler doubles its scale, the step overflows
as it is meant to, and anomaly mode takes it for an error. In the page's model the weights' gradients overflow
first, to infinity alone, which anomaly mode does not see; in others those of the activations do, and infinity
less infinity is NaN: two layers without biases on small inputs (default interval), and a deep MLP without
biases (interval 60). The page's loss, a small learning rate (gradients stay as they are).
Refuted if the sound training raises in anomaly mode behind the skipped steps, with the default interval.
"""
import time
import warnings

import torch

began = time.perf_counter()
warnings.simplefilter("ignore")
device = "cuda" if torch.cuda.is_available() else "cpu"


L = torch.nn.Linear


def deep():
    layers = [layer for _ in range(8) for layer in (L(64, 64, bias=False), torch.nn.ReLU())]
    return torch.nn.Sequential(*layers, L(64, 8, bias=False))


MODELS = {
    "page": (lambda: torch.nn.Sequential(L(64, 128), torch.nn.GELU(), L(128, 8)), 1.0),
    "small inputs": (lambda: torch.nn.Sequential(L(64, 128, bias=False), torch.nn.GELU(), L(128, 8, bias=False)), 0.02),
    "deep": (deep, 1.0),
}


def run(interval, lr, steps, watched_from=0, kind="page"):
    torch.manual_seed(0)
    model, gain = MODELS[kind]
    model = model().to(device)
    x = torch.randn(256, 64, device=device)
    given = x * gain
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, fused=False)
    scaler = torch.amp.GradScaler(device, growth_interval=interval)
    settled, losses = None, []
    for step in range(steps):
        if time.perf_counter() - began > 5.3:
            return f"out of time at step {step}", None
        on = settled is not None and step >= settled + watched_from
        try:
            with torch.autograd.set_detect_anomaly(on):
                with torch.autocast(device, torch.float16):
                    loss = torch.nn.functional.mse_loss(model(given), x[:, :8], reduction="sum")
                scaler.scale(loss).backward()
                calls = scaler.get_scale() if settled is None else None
                scaler.step(optimizer)
                scaler.update()
                optimizer.zero_grad()
        except RuntimeError as error:
            if "returned nan" not in str(error):
                raise
            return f"raised in step {step}, {step - settled} behind the skipped ones: {str(error)[:70]}", step
        if settled is None and scaler.get_scale() == calls:
            settled = step + 1
    return f"{steps} steps, nothing raised, scale {scaler.get_scale()}", None


short = {kind: run(60, 1e-9, 150, kind=kind) for kind in MODELS}
for kind, found in short.items():
    print(f"interval 60, {kind}:", found)
said, default = run(2000, 1e-9, 2060, watched_from=1900, kind="small inputs")
print("default interval, small inputs, anomaly mode from 1,900 steps behind the skipped ones:", said)
if said.startswith("out of time"):
    raise SystemExit("too slow to judge")
if default is not None:
    print(f"REFUTED: a sound training raised in anomaly mode behind the skipped steps: {said}")
else:
    print(f"NOT REFUTED: {said}; short intervals: {short}")
