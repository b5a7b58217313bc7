"""custom_functions.md: "Decorate both with `torch.amp.custom_fwd` and `torch.amp.custom_bwd`, and give them the type of the
device." (the page's recommendation for custom functions, without a limit)
Attack: a function in the form with setup_context, which upstream recommends and torch.func needs: forward gets no ctx, so that
custom_fwd writes its state to the first tensor, and custom_bwd looks for it in ctx.
Refuted if a function decorated as recommended fails, in a block or without, where the undecorated one works without a block."""
import torch

dev = "cuda" if torch.cuda.is_available() else "cpu"
x, w = torch.randn(2, 16, 16, device=dev)


def make(forward_decorator, backward_decorator):
    class Product(torch.autograd.Function):
        @staticmethod
        @forward_decorator
        def forward(a, b):
            return a.mm(b)

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)

        @staticmethod
        @backward_decorator
        def backward(ctx, grad):
            a, b = ctx.saved_tensors
            return grad.mm(b.t()), a.t().mm(grad)

    return Product


same = lambda f: f
decorated = make(torch.amp.custom_fwd(device_type=dev), torch.amp.custom_bwd(device_type=dev))
plain = make(same, same)


def outcome(function, dtype):
    a, b = x.clone().requires_grad_(), w.clone().requires_grad_()
    try:
        with torch.autocast(dev, dtype=dtype, enabled=dtype is not None):
            result = function.apply(a, b)
        result.sum().backward()
        return "works"
    except (AttributeError, RuntimeError, TypeError) as e:
        return f"raises {type(e).__name__}: {str(e)[:70]}"


rows = {}
for name, function in {"undecorated": plain, "decorated": decorated}.items():
    for dtype in (None, torch.bfloat16, torch.float16):
        rows[name, dtype] = outcome(function, dtype)
        print(f"{name}, block {dtype}: {rows[name, dtype]}")
assert rows["undecorated", None] == "works"
bad = [f"{dtype or 'no block'}: {text}" for (name, dtype), text in rows.items() if name == "decorated" and text != "works"]
print(f"REFUTED: a decorated function with setup_context, {'; '.join(bad)}" if bad else "NOT REFUTED: setup_context, three types")
