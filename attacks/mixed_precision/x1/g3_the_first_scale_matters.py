"""
Page: grad_scaler.md.
Sentence: "You need not tune the first scale, the option `init_scale`" (claim the-first-scale-matters-little).
Attack: the page's other training, in which small gradients vanish (a picture of 1024 by 1024 pixels),
from an init_scale of 65536 and of 1, with the default growth interval of 2000: the scale then stays 1
for the whole run, and the scaler is as good as none.
Refuted if the loss from 1 ends above 1.4 times FP32's (the claim's own bound), while the default
start ends within 0.6..1.6.
"""
import time

import torch
from torch import nn

began = time.perf_counter()
device = "cuda" if torch.cuda.is_available() else "cpu"
SIDE = 1024 if device == "cuda" else 64
STEPS = 200 if device == "cuda" else 10
lines = torch.linspace(-1, 1, SIDE, device=device)
y, x = torch.meshgrid(lines, lines, indexing="ij")
places = torch.stack([x, y], -1).flatten(0, 1)
colours = torch.stack([(3 * x).sin() * (2 * y).cos(), (5 * y).sin(), x * y], -1).flatten(0, 1) / 2 + 0.5

ARMS = {"fp32": (False, 1.0), "start 65536": (True, 65536.0), "start 1": (True, 1.0)}


class Arm:
    def __init__(self, mixed, start):
        torch.manual_seed(0)
        layers = [nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU()]
        layers += [nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 3)]
        self.mixed, self.model, self.losses = mixed, nn.Sequential(*layers).to(device), []
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=2e-3)
        self.scaler = torch.amp.GradScaler(device, enabled=mixed, init_scale=start)

    def step(self):
        self.optimizer.zero_grad()
        with torch.autocast(device, torch.float16, enabled=self.mixed):
            loss = nn.functional.mse_loss(self.model(places), colours)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.losses.append(loss.detach())

    def last(self):
        return torch.stack(self.losses[-25:]).median().item()


arms = {name: Arm(*settings) for name, settings in ARMS.items()}
done = 0
while done < STEPS and time.perf_counter() - began < 4.3:  # all arms stop after the same step
    for arm in arms.values():
        arm.step()
    done += 1
    if device == "cuda" and done % 20 == 0:
        torch.cuda.synchronize()
last = {name: arm.last() for name, arm in arms.items()}
scales = {name: arm.scaler.get_scale() for name, arm in arms.items()}
print(f"{done} steps; median of the last losses: {last}; scales at the end: {scales}")
one, default = last["start 1"] / last["fp32"], last["start 65536"] / last["fp32"]
print(f"ratio to FP32: from 1: {one:.2f}, from 65536: {default:.2f}")
if done < 60:
    raise SystemExit("too few steps to judge")
if one > 1.4 and 0.6 <= default <= 1.6:
    print(f"REFUTED: from init_scale=1 the loss ended at {one:.2f} times FP32's, from 65536 at {default:.2f}")
else:
    print(f"NOT REFUTED: {done} steps of the picture, from 1: {one:.2f}, from 65536: {default:.2f}")
