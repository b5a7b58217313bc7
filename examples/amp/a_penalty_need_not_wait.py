"""
A penalty need not wait
=======================

Can I unscale the gradients of a penalty without waiting for the GPU? ``get_scale`` waits, because
it gives a Python number. A scaled one is the same scale as a tensor on the GPU.
"""

import torch

torch.manual_seed(0)
layers = torch.nn.Linear(64, 128), torch.nn.Tanh(), torch.nn.Linear(128, 1)
model = torch.nn.Sequential(*layers).cuda()
parameters, scaler = [*model.parameters()], torch.amp.GradScaler("cuda")
x, y = torch.randn(256, 64).cuda(), torch.randn(256, 1).cuda()
one = torch.ones((), device="cuda")


def with_get_scale():
    return 1 / scaler.get_scale()


def with_a_scaled_one():
    return 1 / scaler.scale(one)


def gradients(inverse):
    for p in parameters:
        p.grad = None
    with torch.autocast("cuda", torch.float16):
        loss = torch.nn.functional.mse_loss(model(x), y)
    scaled = torch.autograd.grad(scaler.scale(loss), parameters, create_graph=True)
    factor = inverse()
    grads = [grad * factor for grad in scaled]
    with torch.autocast("cuda", torch.float16):
        total = loss + 0.1 * sum(grad.pow(2).sum() for grad in grads).sqrt()
    scaler.scale(total).backward()


# %%
# A kernel that sleeps holds the stream, and an event is recorded behind it. If the event is done
# when the step returns, the step has waited. The first steps load kernels and do not count.

TRIES, HOLD = (
    20,
    100_000_000,
)  # cycles: some tens of milliseconds, longer than a step takes
event = torch.cuda.Event()
rows, flat = [], []
for inverse in (with_get_scale, with_a_scaled_one):
    for _ in range(3):
        gradients(inverse)
    waited = 0
    for _ in range(TRIES):
        torch.cuda.synchronize()
        torch.cuda._sleep(HOLD)
        event.record()
        gradients(inverse)
        waited += event.query()
    rows.append({"way": inverse.__name__, "waited": waited})
    flat.append(torch.cat([p.grad.flatten() for p in parameters]))
    print(rows[-1])

# %%
# Both ways give the same gradients.

same = flat[0].equal(flat[1]) and bool(flat[0].isfinite().all())
measured = {"tries": TRIES, "ways": {"table": rows}, "same_gradients": same}
