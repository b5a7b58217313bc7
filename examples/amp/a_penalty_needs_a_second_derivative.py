"""
A penalty needs a second derivative
===================================

Why does my penalty raise an error, or change nothing? Its gradients must be computed with
``create_graph=True``, and every operator between the loss and the penalised weights must have a
second derivative. The two fused attention kernels that run here have none.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import mse_loss, scaled_dot_product_attention

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
torch.manual_seed(0)
x, y = torch.randn(8, 32, 64).to(device), torch.randn(8, 32, 64).to(device)
layer, last = torch.nn.Linear(64, 192).to(device), torch.nn.Linear(64, 64).to(device)
parameters = [*layer.parameters(), *last.parameters()]


def plain(x):
    return last(layer(x)[..., :64].tanh())


def attention(x):
    parts = layer(x).unflatten(-1, (3, 4, 16)).movedim(-3, 0).transpose(-2, -3)
    return last(scaled_dot_product_attention(*parts).transpose(-2, -3).flatten(-2))


def attention_of_products(x):
    with sdpa_kernel(SDPBackend.MATH):
        return attention(x)


print(attention(x).shape)

# %%
# A step computes the gradients, the penalty and the gradients of the sum.


def gradients(model, penalise=True, low=True, **options):
    for p in parameters:
        p.grad = None
    scaler = torch.amp.GradScaler(device.type, init_scale=1024.0, enabled=low)
    with torch.autocast(device.type, torch.float16, enabled=low):
        total = mse_loss(model(x), y)
    if penalise:
        grads = torch.autograd.grad(scaler.scale(total), parameters, **options)
        grads = [grad / scaler.get_scale() for grad in grads]
        total = total + sum(grad.pow(2).sum() for grad in grads).sqrt()
    scaler.scale(total).backward()
    return torch.cat([p.grad.flatten() for p in parameters]) / scaler.get_scale()


def error_of(model, **options):
    try:
        gradients(model, **options)
    except RuntimeError as failure:
        return failure
    return True


# %%
# Without ``create_graph=True``, the graph is gone after the first gradients. With
# ``retain_graph=True`` it stays, but the penalty is a constant.

without = gradients(plain, penalise=False)
retained = gradients(plain, retain_graph=True)
created = gradients(plain, create_graph=True)
share = ((created - without).norm() / without.norm()).item()
measured = {
    "no_graph": error_of(plain),
    "retained_same": retained.equal(without),
    "penalty_share": share,
    "attention_fp16": error_of(attention, create_graph=True),
    "attention_fp32": error_of(attention, create_graph=True, low=False),
    "attention_without_penalty_works": error_of(attention, penalise=False),
    "attention_of_products_works": error_of(attention_of_products, create_graph=True),
}
print(*measured.items(), sep="\n")
