"""
First overflows are no bug
==========================

Are infinite gradients in the first steps a mistake of mine? Not if they stop: a smaller first
scale avoids them, and the training ends alike. Skips that never stop have another cause.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch import nn

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
torch.manual_seed(0)
inputs = torch.randn(128, 16, device=device)
prices = 200 + 50 * inputs.sum(1, keepdim=True).sin()


def new_model():
    torch.manual_seed(1)
    layers = (
        nn.Linear(16, 32),
        nn.ReLU(),
        nn.Linear(32, 32),
        nn.ReLU(),
        nn.Linear(32, 1),
    )
    return nn.Sequential(*layers).to(device)


# %%
# The same training begins with several scales, once with a NaN in its data, and in FP32. A step
# counts as skipped if the weights stay as they were.

STEPS = 200


def train(inputs, mixed=True, **settings):
    model, skipped = new_model(), []
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    scaler = torch.amp.GradScaler(device.type, enabled=mixed, **settings)
    for _ in range(STEPS):
        optimizer.zero_grad()
        before = nn.utils.parameters_to_vector(model.parameters()).detach()
        with torch.autocast(device.type, torch.float16, enabled=mixed):
            loss = nn.functional.mse_loss(model(inputs), prices)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        after = nn.utils.parameters_to_vector(model.parameters()).detach()
        skipped.append(torch.equal(before, after))
    return skipped, loss.item()


_, loss_in_fp32 = train(inputs, mixed=False)
starts = []
for start in (65536, 256, 1):
    skipped, loss = train(inputs, init_scale=float(start))
    last = STEPS - skipped[::-1].index(True) if any(skipped) else 0
    row = {"start": start, "skipped": sum(skipped), "last": last}
    starts.append({**row, "loss_ratio": loss / loss_in_fp32})
print(*starts, sep="\n")

broken = inputs.clone()
broken[0, 0] = torch.nan
skipped_with_nan = sum(train(broken)[0])
print(f"with a NaN in the data: {skipped_with_nan} of {STEPS} skipped")

# %%
# Each start is a row; "last" is the number of the last step that was skipped.

measured = {
    "steps": STEPS,
    "starts": {"table": starts},
    "skipped_with_nan": skipped_with_nan,
}
