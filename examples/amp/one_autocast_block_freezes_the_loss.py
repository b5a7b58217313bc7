"""
One autocast block freezes the loss
===================================

Why does my loss not fall? One autocast block surrounds the whole loop: each forward pass uses the
16-bit weights of the first one. The FP32 weights change all the same.
"""

# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
torch.manual_seed(0)
layers = torch.nn.Linear(64, 256), torch.nn.ReLU(), torch.nn.Linear(256, 1)
model = torch.nn.Sequential(*layers).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
x = torch.randn(512, 64, device=device)

for step in range(5):
    with torch.autocast(device.type, torch.bfloat16):  # a new block in each step
        loss = torch.nn.functional.mse_loss(model(x), x[:, :1] * x[:, 1:2])
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    print(f"step {step}: {loss.item():.4f}")

# %%
# Below, each step has a batch of its own, and each training starts from the same weights. Their
# losses tell which weights a forward pass has used.

from copy import deepcopy
from functools import partial

STEPS = 20
start = deepcopy(model)
inputs = torch.randn(STEPS, 512, 64, device=device)
targets = inputs[..., :1] * inputs[..., 1:2]
ADAMW, cast = torch.optim.AdamW, partial(torch.autocast, device.type)


def loss_of(model, step):
    return torch.nn.functional.mse_loss(model(inputs[step]), targets[step])


def update(loss, optimizer):
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss.item()


# %%
# The wrong loop, and the right one. The gradients of this model need no scaler.


def around_the_loop(model, optimizer, dtype, **options):
    with cast(dtype, **options):
        for step in range(STEPS):
            loss = loss_of(model, step)
            yield update(loss, optimizer)


def in_each_step(model, optimizer, dtype):
    for step in range(STEPS):
        with cast(dtype):
            loss = loss_of(model, step)
        yield update(loss, optimizer)


# %%
# In how many later steps is the loss that of the model before training? And what is the mean loss
# in new blocks after training, compared with the one before?


def train(loop, make=ADAMW, dtype=torch.bfloat16, lr=0.01, **options):
    with torch.no_grad(), cast(dtype):
        before = [loss_of(start, step).item() for step in range(STEPS)]
    model = deepcopy(start)
    losses = list(loop(model, make(model.parameters(), lr=lr, **options), dtype))
    with torch.no_grad(), cast(dtype):
        after = [loss_of(model, step).item() for step in range(STEPS)]
    both = zip(model.parameters(), start.parameters())
    moved = not any(torch.equal(*pair) for pair in both)
    stale = sum(one == other for one, other in zip(losses[1:], before[1:]))
    return {"stale": stale, "moved": moved, "loss_ratio": sum(after) / sum(before)}


LOOPS = {
    "around": around_the_loop,
    "around, without a cache": partial(around_the_loop, cache_enabled=False),
    "in each step": in_each_step,
}
loops = []
for name, loop in LOOPS.items():
    fp16_stale = train(loop, dtype=torch.float16)["stale"]
    loops.append({"loop": name, **train(loop), "fp16_stale": fp16_stale})
print(*loops, sep="\n")

# %%
# It is the same with other optimizers. Has the loss fallen after the right loop?

OPTIMIZERS = {
    "SGD": (torch.optim.SGD, {"lr": 0.02, "momentum": 0.9}),
    "AdamW, fused": (ADAMW, {"fused": True}),
}
frozen = learned = 0
for name, (make, options) in OPTIMIZERS.items():
    wrong = train(around_the_loop, make, **options)
    right = train(in_each_step, make, **options)
    frozen += wrong["stale"] == STEPS - 1
    learned += right["loss_ratio"] < 1
    print(f"{name}: around {wrong}, in each step {right}")

measured = {
    "later_steps": STEPS - 1,
    "by_loop": {"table": loops},
    "optimizers": len(OPTIMIZERS),
    "frozen": frozen,
    "learned": learned,
}
