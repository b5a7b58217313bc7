"""
An update between two steps mixes scales
========================================

Where does ``update()`` belong with several optimizers? After the last step. An update before a
step may change the scale under gradients that were scaled with the old one. No error says so.
"""

# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
models = [torch.nn.Linear(32, 1).to(device) for _ in range(2)]
optimizers = [torch.optim.SGD(model.parameters(), 0.01) for model in models]

# %%
# Right: the one update comes after both steps.


def update_once(scaler, loss0, loss1):
    scaler.scale(loss0).backward()
    scaler.scale(loss1).backward()
    scaler.step(optimizers[0])
    scaler.step(optimizers[1])
    scaler.update()


# %%
# Wrong: the scale may change before the second step divides by it. Worse, the scaler forgets with
# each update which gradients it has divided.


def update_between(scaler, loss0, loss1):
    scaler.scale(loss0).backward()
    scaler.scale(loss1).backward()
    scaler.step(optimizers[0])
    scaler.update()
    scaler.step(optimizers[1])
    scaler.update()


def update_between_after_unscaling(scaler, loss0, loss1):
    scaler.scale(loss0).backward()
    scaler.scale(loss1).backward()
    scaler.unscale_(optimizers[1])
    scaler.step(optimizers[0])
    scaler.update()
    scaler.step(optimizers[1])
    scaler.update()


# %%
# Right too: the second backward pass comes after the first update, as in a loop that trains one
# network and then the other.


def one_after_the_other(scaler, loss0, loss1):
    scaler.scale(loss0).backward()
    scaler.step(optimizers[0])
    scaler.update()
    scaler.scale(loss1).backward()
    scaler.step(optimizers[1])
    scaler.update()


# %%
# The first update halves the scale when the first model's batch overflows in FP16, doubles it when
# the growth interval is over, or leaves it. What does the second optimizer step with? After its
# step, ``.grad`` holds the gradients that it used. The reference is FP64.

TRIES, WRONG = 20, 0.01  # of the norm of the gradients
OUTLIER = 1e5  # beyond the range of FP16
torch.manual_seed(0)


def loss_of(model, x):
    return model(x).square().mean()


def attempt(order, event):
    x, y = torch.randn(2, 64, 32, device=device)
    if event == "falls":
        x[0, 0] = OUTLIER
    interval = 1 if event == "grows" else 2000
    scaler = torch.amp.GradScaler(device.type, 1024.0, growth_interval=interval)
    exact = torch.nn.Linear(32, 1).to(device, torch.float64)
    exact.load_state_dict(models[1].state_dict())
    loss_of(exact, y.double()).backward()
    for optimizer in optimizers:
        optimizer.zero_grad()
    with torch.autocast(device.type, torch.float16):
        losses = loss_of(models[0], x), loss_of(models[1], y)
    order(scaler, *losses)
    wanted, given = exact.weight.grad, models[1].weight.grad.double()
    ratio = given.norm() / wanted.norm()
    return ratio.item(), ((given - wanted).norm() / wanted.norm()).item() > WRONG


# %%
# Each order meets each event; the step of the first model's overflow is skipped in all of them.

rows = []
shared = update_between, update_between_after_unscaling
for order in (update_once, *shared, one_after_the_other):
    row = {"order": order.__name__}
    for event in ("stays", "falls", "grows"):
        ratios, wrong = zip(*(attempt(order, event) for _ in range(TRIES)))
        row |= {f"{event}_wrong": sum(wrong)}
        row |= {f"{event}_ratio": torch.tensor(ratios).median().item()}
    rows.append(row)
    print(row)

measured = {"tries": TRIES, "by_order": {"table": rows}}
