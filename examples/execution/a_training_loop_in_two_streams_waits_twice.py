"""
A training loop in two streams waits twice
==========================================

If forward and backward run in a side stream, and the optimizer in the current one, where must a
loop wait? Before each step of the optimizer, which reads the gradients, and after it, before the
side stream reads the weights or makes a tensor. Then it gives the bits of a loop in one stream.
"""

import torch

here, side = torch.cuda.current_stream(), torch.cuda.Stream()
model = torch.nn.Linear(512, 512, device="cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = torch.randn(5, 256, 512, device="cuda")
side.wait_stream(here)  # for the model and the batches
for batch in batches:
    with torch.cuda.stream(side):
        loss = model(batch).square().mean()
        loss.backward()
    here.wait_stream(side)  # step reads the gradients
    optimizer.step()
    optimizer.zero_grad()
    side.wait_stream(here)  # forward reads the weights
print(loss.item())

# %%
# The loop once more, with each of its waits left out, and in one stream.


def wait_twice(model, optimizer, loss_fn, batches):
    side.wait_stream(here)
    for batch in batches:
        with torch.cuda.stream(side):
            loss = loss_fn(model(batch))
            loss.backward()
        here.wait_stream(side)
        optimizer.step()
        optimizer.zero_grad()
        side.wait_stream(here)


def wait_before_the_step(model, optimizer, loss_fn, batches):
    side.wait_stream(here)
    for batch in batches:
        with torch.cuda.stream(side):
            loss = loss_fn(model(batch))
            loss.backward()
        here.wait_stream(side)
        optimizer.step()
        optimizer.zero_grad()


def wait_after_the_step(model, optimizer, loss_fn, batches):
    side.wait_stream(here)
    for batch in batches:
        with torch.cuda.stream(side):
            loss = loss_fn(model(batch))
            loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        side.wait_stream(here)


def one_stream(model, optimizer, loss_fn, batches):
    for batch in batches:
        loss = loss_fn(model(batch))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


# %%
# A kernel that only sleeps holds the optimizer's stream before a step, or the side stream at the
# start of backward. (``_sleep`` is private to PyTorch and may change.) Gradients are dropped, or
# set to zero. Are the losses and the weights, bit by bit, those of one stream?

HOLD, TRIES = 20_000_000, 10  # cycles: about ten milliseconds


def train(seed, loop, held=None, set_to_none=True):
    torch.manual_seed(seed)
    model, losses = torch.nn.Linear(512, 512, device="cuda"), []
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer.zero_grad = lambda f=optimizer.zero_grad: f(set_to_none=set_to_none)
    if held == "step":
        optimizer.register_step_pre_hook(lambda *_: torch.cuda._sleep(HOLD))

    def loss_fn(output):
        loss = output.square().mean()
        losses.append(loss.detach())
        if held == "backward":
            loss.register_hook(lambda _: torch.cuda._sleep(HOLD))
        return loss

    loop(model, optimizer, loss_fn, torch.randn(5, 256, 512, device="cuda"))
    torch.cuda.synchronize()
    return torch.stack(losses), torch.cat([model.weight.view(-1), model.bias])


def differ(seed, *case):
    one, two = train(seed, one_stream), train(seed, *case)
    return [not torch.equal(a, b) for a, b in zip(one, two, strict=True)]


CASES = {
    "both waits, step held": (wait_twice, "step"),
    "both waits, backward held": (wait_twice, "backward"),
    "both waits, step held, zeros": (wait_twice, "step", False),
    "both waits, backward held, zeros": (wait_twice, "backward", False),
    "no wait after the step": (wait_before_the_step, "step"),
    "no wait before the step": (wait_after_the_step, "backward"),
}
rows = []
for name, case in CASES.items():
    tries = [differ(seed, *case) for seed in range(TRIES + 1)][1:]  # the first loads
    losses, weights = map(sum, zip(*tries, strict=True))
    rows.append({"loop": name, "losses_differ": losses, "weights_differ": weights})
    print(rows[-1])
measured = {"tries": TRIES, "by_loop": {"table": rows}}
