"""
BF16 learns without a scaler
============================

Which 16-bit type needs a gradient scaler? FP16 does: once errors are small, their gradients are
zero, and the loss stays where it is. BF16 has the range of FP32: its gradients do not vanish, and
a scaler changes no bit of the weights.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch import nn

gpu = torch.accelerator.current_accelerator(check_available=True)
device = gpu or torch.device("cpu")
error = torch.full((1024, 1024), 0.01, device=device, requires_grad=True)
loss = error.square().mean()
(gradient,) = torch.autograd.grad(loss, error)
for dtype in (torch.float16, torch.bfloat16):
    print(f"{gradient[0, 0]:.3g} is {gradient[0, 0].to(dtype):.3g} as {dtype}")

# %%
# A layer learns to do what another one does. The loss is a mean over about a million outputs, as of
# a batch of images: divided by their number, the gradient of each output is small.

BATCH, INPUTS, OUTPUTS, STEPS, EVERY = 1024, 8, 1024, 40, 2

torch.manual_seed(0)
inputs = torch.randn(BATCH, INPUTS).to(device)
with torch.no_grad():
    targets = nn.Linear(INPUTS, OUTPUTS).to(device)(inputs)
student = nn.Linear(INPUTS, OUTPUTS).to(device).state_dict()

# %%
# Each way begins with the same weights, which stay in FP32 under autocast. The loss that is noted
# is evaluated in FP32. TF32 is a setting for the GPU; a CPU ignores it.

WAYS = {
    "FP32": {},
    "TF32": {"tf32": True},
    "FP16 without a scaler": {"dtype": torch.float16},
    "FP16 with a scaler": {"dtype": torch.float16, "scales": True},
    "BF16 without a scaler": {"dtype": torch.bfloat16},
    "BF16 with a scaler": {"dtype": torch.bfloat16, "scales": True},
}


def train(dtype=torch.float32, tf32=False, scales=False):
    model = nn.Linear(INPUTS, OUTPUTS).to(device)
    model.load_state_dict(student)
    optimizer = torch.optim.SGD(model.parameters(), lr=OUTPUTS / 8)
    scaler = torch.amp.GradScaler(device.type, enabled=scales)
    losses = []
    for step in range(STEPS + 1):
        torch.set_float32_matmul_precision("high" if tf32 else "highest")
        with torch.autocast(device.type, dtype, enabled=dtype is not torch.float32):
            outputs = model(inputs)
            outputs.retain_grad()
            loss = nn.functional.mse_loss(outputs, targets)
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        zero = (outputs.grad == 0).float().mean().item()
        torch.set_float32_matmul_precision("highest")
        if step % EVERY == 0:
            with torch.no_grad():
                losses.append(nn.functional.mse_loss(model(inputs), targets).item())
        scaler.step(optimizer)
        scaler.update()
    return model, losses, zero


# %%
# The gradients that are counted are those of the layer's outputs, in the last step: backward gives
# them in the type of the outputs.

trained = {way: train(**options) for way, options in WAYS.items()}
by_way = []
for way, (_, losses, zero) in trained.items():
    by_way.append({"way": way, "last_loss": losses[-1], "zero_share": zero})
    print(f"{way:22}: loss {losses[-1]:.1e}, zero gradients {zero:.1%}")
curves = []
for place, step in enumerate(range(0, STEPS + 1, EVERY)):
    losses = {way: losses[place] for way, (_, losses, _) in trained.items()}
    columns = {way.lower().replace(" ", "_"): loss for way, loss in losses.items()}
    curves.append({"step": step} | columns)

# %%
# Did the scaler change anything in BF16? It multiplies and divides by powers of two.

plain, scaled = (trained[f"BF16 {a} a scaler"][0] for a in ("without", "with"))
pairs = list(zip(plain.parameters(), scaled.parameters()))
measured = {
    "by_way": {"table": by_way},
    "curves": {"table": curves},
    "weights": sum(a.numel() for a, _ in pairs),
    "weights_changed_by_scaler": sum((a != b).sum().item() for a, b in pairs),
}
