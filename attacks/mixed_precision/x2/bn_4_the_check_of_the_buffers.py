"""
Page: docs/amp/batchnorm.md (the head, with its snippet)
Sentence: "To see whether a model is affected, look for buffers that are not finite" (a loop over
`model.state_dict()` that prints NOT FINITE).

Attack: both ways round. False alarm: a healthy model whose buffers hold infinities on purpose, such as
a causal mask filled with -inf (`nn.Transformer.generate_square_subsequent_mask`). Missed: a
defective sample of 10,000 or 20,000, whose products fit into FP16: all statistics stay finite, and
evaluation may be wrong all the same.

Refuted if the page's loop prints NOT FINITE for a model that gives finite, right answers in
evaluation mode, or prints none for a model that a defective sample has ruined in evaluation mode.
"""

import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def check(model):  # as on the page
    return [name for name, value in model.state_dict().items() if not value.isfinite().all()]


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts, self.norm = nn.Linear(32, 96), nn.LayerNorm(32)
        mask = nn.Transformer.generate_square_subsequent_mask(16)
        self.register_buffer("mask", mask)

    def forward(self, x):
        q, k, v = self.parts(self.norm(x)).chunk(3, -1)
        mask = self.mask.to(q.dtype)
        return ((q @ k.mT) / 32**0.5 + mask).softmax(-1) @ v.float()


torch.manual_seed(0)
found = []
model = Attention().to(device).eval()
with torch.no_grad():
    answers = model(torch.randn(4, 16, 32, device=device))
alarm = check(model)
print({"case": "a causal mask in a healthy model", "not_finite": alarm, "answers_finite": answers.isfinite().all().item()})
if alarm and answers.isfinite().all():
    found.append(f"false alarm: a healthy model with a causal mask has {alarm}")

# A defective sample whose products just fit: nothing overflows, no step is skipped, evaluation is wrong.
patterns = torch.randn(10, 64)


def make_batch(count, defect=None):
    labels = torch.randint(10, (count,))
    samples = patterns[labels] + 0.5 * torch.randn(count, 64)
    if defect:
        samples[0] = defect
    return samples.to(device), labels.to(device)


accuracies = {}
for defect in (None, 10_000.0, 20_000.0):
    torch.manual_seed(1)
    layers = nn.Linear(64, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, 10)
    model = nn.Sequential(*layers).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(30):
        x, labels = make_batch(32, defect if step == 25 else None)
        with torch.autocast(device.type, torch.float16):
            loss = nn.functional.cross_entropy(model(x), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    x, labels = make_batch(500)
    with torch.no_grad(), torch.autocast(device.type, torch.float16):
        right = (model.eval()(x).argmax(1) == labels).float().mean().item()
    accuracies[defect] = right
    print({"defect": defect, "right_in_eval_mode": right, "not_finite": check(model)})
    if defect and right < accuracies[None] / 2 and not check(model):
        found.append(f"missed: a defective sample of {defect:g} leaves evaluation at {right:.0%} (else {accuracies[None]:.0%}) and all buffers finite")
if found:
    print("REFUTED: " + "; ".join(found))
else:
    print("NOT REFUTED: no false alarm from a causal mask, no ruined model with finite buffers")
