"""
Adam hides a forgotten loss
===========================

Does a loss that is not scaled always train nothing? With Adam and a model of its own it trains:
Adam divides gradients by their size, however small they are. With SGD the model does not move.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.nn.functional import mse_loss

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
STEPS = 200
torch.manual_seed(0)
x = torch.rand(64, 32)
target = (x @ torch.randn(32, 1)).tanh().to(device)
x = x.to(device)


def forget(_, loss):
    return loss


def scale(scaler, loss):
    return scaler.scale(loss)


# %%
# Two models with a loss and an optimizer each share a scaler. The first loss is always scaled.


def train(second, make_optimizer):
    torch.manual_seed(1)
    hidden = [(torch.nn.Linear(32, 64), torch.nn.Tanh()) for _ in "yz"]
    nets = [torch.nn.Sequential(*layers, torch.nn.Linear(64, 1)) for layers in hidden]
    nets = [net.to(device) for net in nets]
    optimizers = [make_optimizer(net.parameters()) for net in nets]
    scaler = torch.amp.GradScaler(device.type)
    losses = []
    for _ in range(STEPS):
        with torch.autocast(device.type, torch.float16):
            loss0, loss1 = (mse_loss(net(x), target) for net in nets)
        scaler.scale(loss0).backward()
        second(scaler, loss1).backward()
        for optimizer in optimizers:
            scaler.step(optimizer)
            optimizer.zero_grad()
        scaler.update()
        losses.append(loss1.item())
    return losses[-1] / losses[0]


# %%
# How much of the second loss is left after training?

optimizers = {
    "SGD": lambda parameters: torch.optim.SGD(parameters, 0.05),
    "Adam": lambda parameters: torch.optim.Adam(parameters, 0.001),
}
rows = [
    {
        "optimizer": name,
        "scaled_left_share": train(scale, make),
        "forgotten_left_share": train(forget, make),
    }
    for name, make in optimizers.items()
]
print(*rows, sep="\n")

measured = {"steps": STEPS, "by_optimizer": {"table": rows}}
