"""
Page: docs/amp/accumulation.md (claim accumulated-gradients-match-fp64, under "Does the sum match
one large batch?")
Sentence: "Gradients accumulated over equal batches differ from those of one large batch in FP64 by
[at most 0.08 %]" -- and its gallery title "Accumulated gradients match those of one batch".

Attack: other models and losses that the sentence covers: BatchNorm (statistics per micro-batch), a
contrastive loss (negatives within the batch), a loss that is a root or a maximum over the batch.
Equal parts, losses divided by their number, as on the page; also in FP32 without a scaler, so the
cause is not the type.

Refuted if the accumulated gradients are more than 1 % off one large batch in FP64 in one of them,
while one large batch in mixed precision is below 1 %.
"""

import copy

import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
ROWS, PARTS = 512, 8
torch.manual_seed(0)
x = torch.randn(ROWS, 64).to(device)
y = x[:, :8].sum(1, keepdim=True) / 5


def plain():
    return torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.Tanh(), torch.nn.Linear(128, 1))


def normed():
    return torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.BatchNorm1d(128), torch.nn.Tanh(), torch.nn.Linear(128, 1))


def encoder():
    return torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.Tanh(), torch.nn.Linear(128, 32))


def squared(model, x, y):
    return torch.nn.functional.mse_loss(model(x), y.to(x.dtype))


def root(model, x, y):
    return squared(model, x, y).sqrt()


def contrastive(model, x, y):
    z = torch.nn.functional.normalize(model(x), dim=1)
    other = torch.nn.functional.normalize(model(x + 0.1 * x.roll(1, 1)), dim=1)
    return torch.nn.functional.cross_entropy(z @ other.T * 5, torch.arange(len(x), device=x.device))


def flat(model):
    return torch.cat([p.grad.double().flatten() for p in model.parameters()])


rows = []
for name, make, loss_of in (("plain", plain, squared), ("BatchNorm", normed, squared),
                            ("root mean square", plain, root), ("contrastive", encoder, contrastive)):
    torch.manual_seed(1)
    start = make().to(device)
    precise = copy.deepcopy(start).double()
    loss_of(precise, x.double(), y).backward()
    reference, row = flat(precise), {"case": name}
    for way, parts, low in (("one_batch", 1, True), ("accumulated", PARTS, True), ("accumulated_fp32", PARTS, False)):
        model = copy.deepcopy(start)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
        scaler = torch.amp.GradScaler(device.type, init_scale=1024.0, enabled=low)
        for a, b in zip(x.chunk(parts), y.chunk(parts)):
            with torch.autocast(device.type, torch.float16, enabled=low):
                loss = loss_of(model, a, b) / parts
            scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        row[way] = ((flat(model) - reference).norm() / reference.norm()).item()
    rows.append(row)
    print(row)

off = [r for r in rows if r["accumulated"] > 0.01 and r["accumulated_fp32"] > 0.01 and r["one_batch"] < 0.01]
if off:
    print("REFUTED: the sum does not match one large batch: "
          + "; ".join(f"{r['case']} {r['accumulated']:.1%} off (FP32 {r['accumulated_fp32']:.1%}, one batch {r['one_batch']:.2%})" for r in off))
else:
    print("NOT REFUTED: BatchNorm, a root and a contrastive loss stayed within 1 % of one large batch")
