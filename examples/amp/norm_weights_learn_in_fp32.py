"""
Norm weights learn in FP32
==========================

Does a norm learn in BF16? Its weights begin at one, where BF16 has no number near enough for a
small step. Keep them in FP32, in a BF16 block: the same steps then lead where FP64 leads.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch import nn

gpu = torch.accelerator.current_accelerator(check_available=True)
device = gpu or torch.device("cpu")
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(64, 512), nn.LayerNorm(512), nn.Linear(512, 64))
model.to(device)
x = torch.randn(256, 64).to(device)
target = model(x).detach() / 2  # the norm can learn to halve its weights
optimizer = torch.optim.Adam(model[1].parameters(), lr=1e-3)
for _ in range(100):
    optimizer.zero_grad()
    with torch.autocast(device.type, torch.bfloat16):
        loss = nn.functional.mse_loss(model(x).float(), target)
    loss.backward()
    optimizer.step()
print(f"loss {loss.item():.4f}, weights around {model[1].weight.mean().item():.2f}")

# %%
# The same steps with a model in BF16: the optimizer asks for each step, and no weight moves.

torch.manual_seed(0)  # the same model and batch
model = nn.Sequential(nn.Linear(64, 512), nn.LayerNorm(512), nn.Linear(512, 64))
model.to(device)
x = torch.randn(256, 64).to(device)
target = model(x).detach() / 2
model.bfloat16()
optimizer = torch.optim.Adam(model[1].parameters(), lr=1e-3)
for _ in range(100):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x.bfloat16()).float(), target)
    loss.backward()
    optimizer.step()
print(f"loss {loss.item():.4f}, weights around {model[1].weight.mean().item():.2f}")

# %%
# Both loops once more, as functions, to compare their losses with those of FP64. A third way keeps
# the weights in FP32 as well, but computes the norm in the type of its input, BF16.


class FittingNorm(nn.LayerNorm):
    """A LayerNorm that computes in the type of its input."""

    def forward(self, x):
        """Cast the weights instead of the input."""
        w, b = self.weight.to(x.dtype), self.bias.to(x.dtype)
        with torch.autocast(x.device.type, enabled=False):
            return nn.functional.layer_norm(x, self.normalized_shape, w, b, self.eps)


def train(dtype, block=False, norm=nn.LayerNorm):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(64, 512), norm(512), nn.Linear(512, 64))
    model.to(device)
    x = torch.randn(256, 64).to(device)
    target = model(x).detach() / 2
    model.to(dtype)
    wide = torch.promote_types(dtype, torch.float32)
    optimizer = torch.optim.Adam(model[1].parameters(), lr=1e-3)
    losses = []
    for _ in range(STEPS):
        optimizer.zero_grad()
        with torch.autocast(device.type, torch.bfloat16, enabled=block):
            loss = nn.functional.mse_loss(model(x.to(dtype)).to(wide), target.to(wide))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model[1].weight.detach()


STEPS = 100
WAYS = {
    "FP64": (torch.float64,),
    "FP32": (torch.float32,),
    "FP32, BF16 block": (torch.float32, True),
    "FP32, BF16 block, fitting norm": (torch.float32, True, FittingNorm),
    "BF16": (torch.bfloat16,),
}
runs = {way: train(*given) for way, given in WAYS.items()}

# %%
# The errors of the losses are shares of those in FP64: at the last step, and the largest.

exact = runs["FP64"][0]
rows = []
for way, (losses, weight) in runs.items():
    errors = [abs(loss - true) / true for loss, true in zip(losses, exact)]
    row = {"way": way, "first_loss": losses[0], "last_loss": losses[-1]}
    row |= {"last_error_share": errors[-1], "largest_error_share": max(errors)}
    row |= {"moved": (weight != 1).sum().item(), "mean": weight.mean().item()}
    rows.append(row)
    print(row)
measured = {"steps": STEPS, "weights": weight.numel(), "by_way": {"table": rows}}
