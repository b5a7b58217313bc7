"""
A critic needs an unscaled penalty
==================================

What happens if I forget to unscale the gradients of a penalty? The penalty then limits the scaled
gradients. A critic that should have gradients of norm one ends with gradients near zero, and no
error is raised.
"""

# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
STEPS, ROWS, WIDTH = 150, 128, 16


def make_critic():
    torch.manual_seed(0)
    first, second = torch.nn.Linear(WIDTH, 64), torch.nn.Linear(64, 64)
    layers = first, torch.nn.Softplus(), second, torch.nn.Softplus()
    return torch.nn.Sequential(*layers, torch.nn.Linear(64, 1)).to(device)


print(make_critic())

# %%
# A critic learns to tell two clouds of points apart. A penalty keeps the norm of its gradients near
# one between the clouds. The scores are turned into FP32 before they are scaled, because the scale
# itself is too large for FP16.


def train(way, low=True):
    critic, generator = make_critic(), torch.Generator().manual_seed(1)
    optimizer = torch.optim.Adam(critic.parameters(), lr=2e-3, betas=(0.5, 0.9))
    scaler = torch.amp.GradScaler(device.type, enabled=low)
    skipped = 0
    for _ in range(STEPS):
        real, fake, mix = torch.randn(3, ROWS, WIDTH, generator=generator).to(device)
        real, mix = real + 0.5, mix[:, :1].sigmoid()
        between = (mix * real + (1 - mix) * fake).requires_grad_()
        with torch.autocast(device.type, torch.float16, enabled=low):
            loss = critic(fake).float().mean() - critic(real).float().mean()
            scores = critic(between).float().sum()
        (grads,) = torch.autograd.grad(scaler.scale(scores), between, create_graph=True)
        if way == "unscaled":
            grads = grads / scaler.get_scale()
        with torch.autocast(device.type, torch.float16, enabled=low):
            penalty = (grads.norm(dim=1) - 1).square().mean()
            total = loss + 10 * penalty
        before = scaler.get_scale()
        scaler.scale(total).backward()
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
        skipped += scaler.get_scale() < before
    return critic, skipped


# %%
# How large are the gradients between the clouds afterwards, and how far apart are the scores? Both
# are computed in FP32.


def judge(critic):
    points = torch.randn(4096, WIDTH, generator=torch.Generator().manual_seed(2)).to(
        device
    )
    between = (points + 0.25).requires_grad_()
    (grads,) = torch.autograd.grad(critic(between).sum(), between)
    with torch.no_grad():
        gap = critic(points + 0.5).mean() - critic(points).mean()
    return {"gradient_norm": grads.norm(dim=1).mean().item(), "gap": gap.item()}


rows = []
for way, low in (("fp32", False), ("unscaled", True), ("not_unscaled", True)):
    critic, skipped = train("unscaled" if way == "fp32" else way, low)
    rows.append({"way": way, "skipped_steps": skipped, **judge(critic)})
    rows[-1]["gap_ratio"] = rows[-1]["gap"] / rows[0]["gap"]
    print(rows[-1])

measured = {"ways": {"table": rows}}
