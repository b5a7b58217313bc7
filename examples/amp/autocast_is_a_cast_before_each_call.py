"""
Autocast is a cast before each call
===================================

What does autocast do? It casts the inputs of each call, as you could yourself. The result and the
gradients are those of the casts that are written out, and the weights stay in FP32.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.nn import functional

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
layer = torch.nn.Linear(64, 64, device=device)
x = torch.randn(16, 64, device=device)
low = torch.bfloat16

with torch.autocast(device.type, dtype=low):
    y = layer(x)  # autocast casts the input, the weight and the bias
    loss = functional.mse_loss(y, x)  # and here, y to FP32
by_hand = functional.linear(x.to(low), layer.weight.to(low), layer.bias.to(low))
print(torch.equal(y, by_hand), y.dtype, loss.dtype)

loss.backward()  # each step back in the type of its step forward
print(layer.weight.dtype, layer.weight.grad.dtype)

# %%
# A model, and the same with each cast written out.

torch.manual_seed(0)
norm = torch.nn.LayerNorm(256, device=device)
first = torch.nn.Linear(64, 256, device=device)
last = torch.nn.Linear(256, 64, device=device)
parameters = [*first.parameters(), *norm.parameters(), *last.parameters()]


def model(x):
    return functional.mse_loss(last(norm(functional.gelu(first(x)))), x)


def with_casts(x, low):
    hidden = functional.linear(x.to(low), first.weight.to(low), first.bias.to(low))
    normed = norm(functional.gelu(hidden).float())
    output = functional.linear(normed.to(low), last.weight.to(low), last.bias.to(low))
    return functional.mse_loss(output.float(), x)


def gradients(loss, of):
    return [loss.detach(), *torch.autograd.grad(loss, of)]


def block(low, **options):
    return torch.autocast(device.type, dtype=low, **options)


# %%
# How many tensors, the loss and the gradients, are the same to the last bit? A model that is
# compiled by ``aot_eager`` runs the same kernels.

TYPES = (torch.bfloat16, torch.float16)


def same(ours, theirs):
    return sum(map(torch.equal, ours, theirs))


def compare(low, compiled=False):
    run = torch.compile(model, backend="aot_eager") if compiled else model
    with block(low):
        loss = run(x)
    losses = loss, with_casts(x, low)
    return same(*(gradients(loss, parameters) for loss in losses))


eager = sum(map(compare, TYPES))
compiled = sum(compare(low, compiled=True) for low in TYPES)
print(f"{eager} and, compiled, {compiled} of {len(TYPES) * (1 + len(parameters))}")

# %%
# The cache: a weight that is used three times, with one copy or a copy for each use, written out.

USES = 3


def reused(x, weights):
    for weight in weights:
        x = functional.linear(x, weight)
    return x.float().square().mean()


def one_copy(low):
    return reused(x.to(low), USES * [layer.weight.to(low)])


def copy_for_each_use(low):
    return reused(x.to(low), [layer.weight.to(low) for _ in range(USES)])


def matches(by_hand, low, cache):
    with block(low, cache_enabled=cache):
        loss = reused(x, USES * [layer.weight])
    ours, theirs = (gradients(loss, [layer.weight]) for loss in (loss, by_hand(low)))
    return same(ours, theirs) == len(ours)


WAYS = {"one copy": one_copy, "a copy for each use": copy_for_each_use}
rows = []
for by_hand, make in WAYS.items():
    row = {"by_hand": by_hand}
    for name, on in (("cached", True), ("uncached", False)):
        row[name] = sum(matches(make, low, on) for low in TYPES)
    rows.append(row)
    print(row)
measured = {
    "types": len(TYPES),
    "tensors": len(TYPES) * (1 + len(parameters)),
    "same": eager,
    "compiled_same": compiled,
    "by_copies": {"table": rows},
}
