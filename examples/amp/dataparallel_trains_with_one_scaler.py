"""
DataParallel trains with one scaler
===================================

Does ``GradScaler`` need a change for ``DataParallel``? It does not: gradients of all replicas add
up on the first GPU, where they match FP64, and an overflow in one replica skips the step.
"""

# sphinx_gallery_evidence = {"gpus": 2, "timeout": 60}
# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
SCALE, TRIES, RATE = 1024.0, 10, 0.001
torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.Linear(64, 1)).to(device)
replicated = torch.nn.DataParallel(model)
optimizer = torch.optim.SGD(model.parameters(), RATE)

# %%
# A step as without ``DataParallel``. Rows of the batch go to the GPUs in order: the last row goes
# to the last GPU. What is the largest error of a gradient, compared with FP64 on one device?


def step(bad_row=None):
    x = torch.randn(64, 32, device=device)
    if bad_row is not None:
        x[bad_row, 0] = 1e5  # beyond the range of FP16
    exact = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.Linear(64, 1))
    exact.load_state_dict(model.state_dict())
    exact = exact.to(device, torch.float64)
    exact(x.double()).square().mean().backward()

    scaler = torch.amp.GradScaler(device.type, SCALE)
    before = model[0].weight.detach().clone()
    optimizer.zero_grad()
    with torch.autocast(device.type, torch.float16):
        loss = replicated(x).square().mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()

    stepped = not torch.equal(before, model[0].weight)
    grads = [
        (p.grad.double(), e.grad)
        for p, e in zip(model.parameters(), exact.parameters())
    ]
    error = max(((a - b).norm() / b.norm()).item() for a, b in grads)
    return stepped, scaler.get_scale() < SCALE, error


# %%
# No overflow, an overflow in the first replica, and one in the last.

rows = []
for case, bad_row in {"none": None, "first GPU": 0, "last GPU": -1}.items():
    stepped, fell, errors = zip(*(step(bad_row) for _ in range(TRIES)))
    rows.append({"overflow": case, "stepped": sum(stepped), "fell": sum(fell)})
    if bad_row is None:
        largest = max(errors)
    print(rows[-1])
print(f"largest error {largest:.1e}")

measured = {"tries": TRIES, "by_overflow": {"table": rows}, "error_share": largest}
