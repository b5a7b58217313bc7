"""
Page: grad_scaler.md.
Sentence: "Right: set the scale to 1 when it has fallen below, or stop with an error."
Attack: the page's own "a scale below 1 alone is no error" training (a loss that is a sum), with the
floor that the page recommends, against no floor; and the other half, "stop with an error".
Refuted if with the floor fewer than a tenth of the steps are taken and the loss stays above half of
the first one, while without a floor it falls below a fifth.
"""
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
inputs = torch.randn(256, 16, device=device)
incomes = 200_000 + 50_000 * inputs.sum(1, keepdim=True).sin()
STEPS = 200


def train(floor):
    torch.manual_seed(1)
    layers = nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1)
    model = nn.Sequential(*layers).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    scaler = torch.amp.GradScaler(device)
    taken, losses, would_stop = [], [], None
    optimizer.register_step_post_hook(lambda *_: taken.append(1))
    for step in range(STEPS):
        optimizer.zero_grad()
        with torch.autocast(device, torch.float16):
            loss = nn.functional.mse_loss(model(inputs), incomes / 200, reduction="sum")
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        if scaler.get_scale() < 1:
            would_stop = step if would_stop is None else would_stop
            if floor:
                scaler.update(1.0)
        losses.append(loss.item())
    return len(taken), losses[-1] / losses[0], scaler.get_scale(), would_stop


with_floor, without = train(True), train(False)
print("with a floor: steps taken, last/first loss, scale, first step below 1:", with_floor)
print("without:", without)
if with_floor[0] < STEPS / 10 and with_floor[1] > 0.5 and without[1] < 0.2:
    print(f"REFUTED: the floor of 1 let {with_floor[0]} of {STEPS} steps through (loss {with_floor[1]:.2f} of the first), without it {without[0]} (loss {without[1]:.3f}); an error would have stopped a sound run at step {without[3]}")
else:
    print(f"NOT REFUTED: with the floor {with_floor}, without {without}")
