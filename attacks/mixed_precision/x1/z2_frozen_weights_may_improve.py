"""
Page: frozen_weights.md.
Sentence: "The FP32 weights run away" (heading) and "each gradient belongs to the weights of the first
step, so the steps add up in a direction that nothing corrects"; "Once the block has ended, the mean
loss is ... times that of the model before training".
Attack: the first gradient is a good direction where the task is a classification of separable classes:
an MLP and a linear classifier with cross entropy, trained in one block with Adam, AdamW and SGD for 20
and 200 steps (batches of their own), evaluated in a new block on other data. Beside it, the page's own
regression at lower learning rates.
Refuted if a frozen loop of 200 steps, at PyTorch's default learning rate or a ten times larger one,
ends with a loss below half of the one before training.
"""
from copy import deepcopy

import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
F = torch.nn.functional
torch.manual_seed(0)
CLASSES, WIDTH = 8, 64
centres = torch.randn(CLASSES, WIDTH, device=device)


def draw(n):
    label = torch.randint(CLASSES, (n,), device=device)
    return centres[label] + torch.randn(n, WIDTH, device=device), label


batches = [draw(256) for _ in range(200)]
test = draw(4096)
MODELS = {
    "linear": torch.nn.Linear(WIDTH, CLASSES),
    "MLP": torch.nn.Sequential(torch.nn.Linear(WIDTH, 256), torch.nn.ReLU(), torch.nn.Linear(256, CLASSES)),
}


def evaluate(model):
    with torch.no_grad(), torch.autocast(device, torch.bfloat16):
        logits = model(test[0])
        return F.cross_entropy(logits, test[1]).item(), (logits.argmax(1) == test[1]).float().mean().item()


def frozen(start, make, steps, **options):
    model = deepcopy(start)
    optimizer = make(model.parameters(), **options)
    first = None
    with torch.autocast(device, torch.bfloat16):
        for x, label in batches[:steps]:
            loss = F.cross_entropy(model(x), label)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
        with torch.no_grad():
            stale = torch.equal(model(test[0]), start_logits(start))
    return evaluate(model), stale


def start_logits(start):
    with torch.autocast(device, torch.bfloat16):
        return start(test[0])


O = torch.optim
ARMS = {
    "Adam 1e-3": (O.Adam, {"lr": 1e-3}),
    "Adam 1e-2": (O.Adam, {"lr": 1e-2}),
    "AdamW 1e-3": (O.AdamW, {"lr": 1e-3}),
    "SGD 1e-2": (O.SGD, {"lr": 1e-2}),
    "SGD 1e-1": (O.SGD, {"lr": 1e-1}),
}
better = []
for name, start in MODELS.items():
    start.to(device)
    before, right = evaluate(start)
    print(f"{name}: before training: loss {before:.3f}, {right:.0%} right")
    for arm, (make, options) in ARMS.items():
        for steps in (20, 200):
            (loss, right), stale = frozen(start, make, steps, **options)
            print(f"  {arm}, {steps} steps in one block: frozen {stale}, loss {loss / before:.3f} of the first, {right:.0%} right")
            if steps == 200 and stale and loss < 0.5 * before:
                better.append(f"{name} {arm}: {loss / before:.2f}, {right:.0%} right")
if better:
    print(f"REFUTED: the loop was frozen, yet its FP32 weights did not run away but learned: {better}")
else:
    print("NOT REFUTED: no frozen classifier of 200 steps halved its loss")
