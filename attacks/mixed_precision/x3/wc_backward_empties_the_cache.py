"""weight_cache.md: "Autocast casts each weight once per block and keeps the copy until the outermost block ends" (and "A
parameter that is used 3 times in a block is cast 1 time").
Attack: between two uses in one block, a gradient is asked for (autograd.grad, as a penalty does), through (a) a plain product,
(b) a function decorated as custom_functions.md recommends, (c, d) a checkpoint. On the GPU backward runs in a thread of its
own, where custom_bwd opens a block whose end is an outermost end: it empties the cache that threads share.
Refuted if the second use in the same open block casts the parameter again."""
import torch
from torch.profiler import ProfilerActivity, profile
from torch.utils.checkpoint import checkpoint

dev = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
parameter = torch.randn(16, 16, device=dev, requires_grad=True)
other = torch.randn(16, 16, device=dev, requires_grad=True)
low = torch.randn(4, 16, device=dev, dtype=torch.bfloat16)


class Product(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type=dev)
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a.mm(b)

    @staticmethod
    @torch.amp.custom_bwd(device_type=dev)
    def backward(ctx, grad):
        a, b = ctx.saved_tensors
        return grad.mm(b.t()), a.t().mm(grad)


def leaf():
    return torch.randn(16, 16, device=dev, requires_grad=True)


def grad_of(make):
    x = leaf()
    torch.autograd.grad(make(x).float().sum(), x)


def reentrant():
    x = leaf()
    checkpoint(lambda t: t @ other, x, use_reentrant=True).float().sum().backward()


BETWEEN = {
    "nothing": lambda: None,
    "gradient of a product": lambda: grad_of(lambda x: x @ other),
    "gradient of a decorated function": lambda: grad_of(lambda x: Product.apply(x, other)),
    "gradient of a checkpoint": lambda: grad_of(lambda x: checkpoint(lambda t: t @ other, x, use_reentrant=False)),
    "backward of a reentrant checkpoint": reentrant,
}
casts = {}
for name, between in BETWEEN.items():
    with torch.autocast(dev, dtype=torch.bfloat16):
        low @ parameter
        between()
        with profile(activities=[ProfilerActivity.CPU], acc_events=True) as p:
            low @ parameter
    casts[name] = sum(e.name == "aten::_to_copy" for e in p.events())
    print(f"{name}: {casts[name]} casts at the second use in the same block")
assert casts["nothing"] == 0
bad = [name for name, count in casts.items() if count]
print(f"REFUTED: cast again in the same block after the {'; after the '.join(bad)}" if bad else f"NOT REFUTED: {len(BETWEEN)} things between two uses")
