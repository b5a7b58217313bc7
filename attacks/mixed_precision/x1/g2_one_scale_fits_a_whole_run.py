"""
Page: grad_scaler.md.
Sentence: "No scale is right for a whole run, since gradients change."
Attack: the page's own training (a_scaler_finds_its_scale, 300 steps), with scales that never change
(growth_interval beyond the run), from 2**-2 to 2**6, against FP32 and the page's own scaler.
Refuted if one fixed scale skips no step in the whole run, and its median loss of the last 25 steps
is at most 1.25 times the smaller of FP32's and the dynamic scaler's.
"""
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
inputs = torch.randn(128, 16, device=device)
prices = 200 + 50 * inputs.sum(1, keepdim=True).sin()
STEPS = 300 if device == "cuda" else 120


def train(mixed=True, **settings):
    torch.manual_seed(1)
    layers = nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 1)
    model = nn.Sequential(*layers).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    scaler = torch.amp.GradScaler(device, enabled=mixed, **settings)
    losses, calls = [], []
    optimizer.register_step_post_hook(lambda *_: calls.append(1))
    for _ in range(STEPS):
        optimizer.zero_grad()
        with torch.autocast(device, torch.float16, enabled=mixed):
            loss = nn.functional.mse_loss(model(inputs), prices)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        losses.append(loss.detach())
    losses = torch.stack(losses).tolist()
    return sorted(losses[-25:])[12], STEPS - len(calls), scaler.get_scale()


fp32, _, _ = train(mixed=False)
dynamic, skips, scale = train(growth_interval=25)
print(f"FP32 {fp32:.1f}; dynamic {dynamic:.1f}, {skips} skipped, last scale {scale}")
right = []
for exponent in (-2, 0, 2, 4, 6):
    loss, skipped, scale = train(init_scale=2.0**exponent, growth_interval=10**9)
    good = skipped == 0 and scale == 2.0**exponent and loss <= 1.25 * min(fp32, dynamic)
    right += [2.0**exponent] if good else []
    print(f"fixed at 2**{exponent}: loss {loss:.1f}, skipped {skipped}, scale at the end {scale}")
if right:
    print(f"REFUTED: a fixed scale was right for all {STEPS} steps: {right} (no skip, the loss of FP32)")
else:
    print("NOT REFUTED: each fixed scale skipped a step or ended with a larger loss")
