"""
Custom functions need their decorators
======================================

Why does my autograd function fail under autocast? Its forward pass runs in the block, its backward
pass behind it, where types do not match. Two decorators give backward the state of forward.
"""

# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")


class Product(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type=device.type)
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a.mm(b)

    @staticmethod
    @torch.amp.custom_bwd(device_type=device.type)
    def backward(ctx, grad):
        a, b = ctx.saved_tensors
        return grad.mm(b.t()), a.t().mm(grad)


# %%
# The same function without decorators, and with those of ``torch.amp`` as its notes apply them.

x, w = torch.randn(2, 16, 16, device=device)


class Undecorated(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a.mm(b)

    @staticmethod
    def backward(ctx, grad):
        a, b = ctx.saved_tensors
        return grad.mm(b.t()), a.t().mm(grad)


def bare():
    class Bare(torch.autograd.Function):
        @staticmethod
        @torch.amp.custom_fwd
        def forward(_, a, b):
            return a.mm(b)

    return Bare


def outcome(call):
    try:
        return call() is not None
    except (AttributeError, RuntimeError, TypeError) as failure:
        return failure


# %%
# Gradients of both inputs, with backward behind the block. The plain product is the reference.


def gradients(product, dtype, inside=False):
    a, b = x.clone().requires_grad_(), w.clone().requires_grad_()
    enabled = dtype is not None
    with torch.autocast(device.type, dtype=dtype, enabled=enabled):
        result = product(a, b)
        if inside:
            result.sum().backward()
    if not inside:
        result.sum().backward()
    return a.grad, b.grad


TYPES = (None, torch.float16, torch.bfloat16)
same = 0
for dtype in TYPES:
    pair = zip(gradients(Product.apply, dtype), gradients(torch.mm, dtype))
    same += all(torch.equal(*two) for two in pair)
failure = outcome(lambda: gradients(Undecorated.apply, torch.bfloat16))
passing = [
    outcome(lambda: gradients(Undecorated.apply, torch.bfloat16, inside=True)),
    outcome(lambda: gradients(Undecorated.apply, None)),
]
print(f"decorated like torch.mm in {same} of {len(TYPES)}; undecorated: {failure}")

# %%
# With ``setup_context``, forward gets no ``ctx`` on which the decorator could note the state.


class Separate(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type=device.type)
    def forward(a, b):
        return a.mm(b)

    @staticmethod
    def setup_context(ctx, inputs, _):
        ctx.save_for_backward(*inputs)

    backward = Product.backward


# %%
# Without decorators, tests may pass: with backward inside the block, and without a block.

measured = {
    "types": len(TYPES),
    "same": same,
    "undecorated": failure,
    "other_forms": len(passing),
    "passing": passing.count(True),
    "bare": outcome(bare),
    "separate": outcome(lambda: gradients(Separate.apply, torch.bfloat16)),
}
