"""
A first training loop on a GPU
==============================

How do I train my first model on a GPU? Move the model once and each batch of the loader, and leave
all other lines as they are: evaluate where the model is, save it, and load it on any machine.
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
points = torch.rand(5000, 2) * 2 - 1
labels = (points.norm(dim=1) > 0.5).long() + (points.norm(dim=1) > 0.9).long()
train = TensorDataset(points[:4000], labels[:4000])
model = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 3)).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(10):
    for x, y in DataLoader(train, batch_size=100, shuffle=True):
        x, y = x.to(device), y.to(device)
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.3f}")

# %%
# Has it learned? Ask for points that it has not seen. ``eval()`` switches dropout and batch norm,
# where a model has them, and ``no_grad()`` keeps nothing for a backward pass.

test = TensorDataset(points[4000:], labels[4000:])


def accuracy_of(model, device):
    model.eval()
    right = 0
    with torch.no_grad():
        for x, y in DataLoader(test, batch_size=100):
            x, y = x.to(device), y.to(device)
            right += (model(x).argmax(dim=1) == y).sum().item()
    return right / len(test)


accuracy = accuracy_of(model, device)
most_frequent = labels[4000:].bincount().max().item() / len(test)
print(f"right: {accuracy:.1%}; the most frequent class: {most_frequent:.1%}")

# %%
# Save the weights, and load them into the same model on the CPU. ``map_location`` says where the
# tensors of the file go, so that a machine without a GPU can read it.

import tempfile
from pathlib import Path

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "model.pt")
    torch.save(model.state_dict(), path)
    as_saved = torch.load(path)
    weights = torch.load(path, map_location="cpu")
loaded = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 3))
loaded.load_state_dict(weights)
print(f"right on the CPU: {accuracy_of(loaded, 'cpu'):.1%}")

# %%
# Do both models say the same? Their sums are in another order, so the last bits may differ. And how
# large is the loss of the last batch, compared with that of a model that has not trained?

with torch.no_grad():
    unseen = points[4000:]
    there, here = (
        model(unseen.to(device)).softmax(dim=1).cpu(),
        loaded(unseen).softmax(1),
    )
    fresh = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 3))
    untrained = nn.functional.cross_entropy(fresh(unseen), labels[4000:]).item()
same_classes = (there.argmax(dim=1) == here.argmax(dim=1)).sum().item()
largest = (there - here).abs().max().item()
print(
    f"the same class for {same_classes} of {len(test)}; chances differ by {largest:.1e}"
)

# %%
# Where is everything? The loader gives tensors on the CPU; ``to`` makes copies on the GPU; and the
# results, the loss, the gradients and the optimizer's state are where the model is.


def place(tensors):
    return " ".join(sorted({tensor.device.type for tensor in tensors}))


given, _ = next(iter(DataLoader(train, batch_size=100)))
state = [value for moments in optimizer.state.values() for value in moments.values()]
places = {
    "batch": place([given]),
    "moved": place([given.to(device)]),
    "result": place([model(given.to(device))]),
    "loss": place([loss]),
    "weights": place(model.parameters()),
    "gradients": place(weight.grad for weight in model.parameters()),
    "moments": place(value for value in state if value.dim()),
    "saved": place(as_saved.values()),
    "loaded": place(loaded.parameters()),
}
print(places)

measured = {
    "places": {"table": [{"what": what, "at": at} for what, at in places.items()]},
    "last_loss_share": {"samples": [loss.item() / untrained]},
    "accuracy_share": {"samples": [accuracy]},
    "most_frequent_share": most_frequent,
    "test_points": len(test),
    "same_classes": same_classes,
    "probabilities_agree": largest < 1e-4,
}
