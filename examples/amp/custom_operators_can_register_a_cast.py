"""
Custom operators can register a cast
====================================

What does autocast do to a kernel of my own? Nothing: it gets whatever types the code before it has
made. As an operator of ``torch.library``, it can register the type that its inputs are cast to.
"""

# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")


def kernel(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    if (x.dtype, y.dtype) != (torch.float32, torch.float32):
        raise TypeError(f"the kernel exists for float32 only, not for {x.dtype}")
    return x + 2 * y  # a CUDA or Triton kernel would be launched here


scaled_add = torch.library.custom_op("site::scaled_add", kernel, mutates_args=())
scaled_add.register_autocast(device.type, torch.float32)
x, y = torch.randn(2, 16, 16, device=device)
with torch.autocast(device.type, dtype=torch.bfloat16):
    print(scaled_add(x @ y, y).dtype)

# %%
# The same kernel as an operator without a registered type, and as a plain function that autograd
# does not know. A hidden state of the block has 16 bits, and a weight has 32.

unregistered = torch.library.custom_op("site::unregistered", kernel, mutates_args=())


def name(dtype):
    return str(dtype).removeprefix("torch.")


def outcome(call, dtype=torch.bfloat16):
    with torch.autocast(device.type, dtype=dtype, enabled=dtype is not None):
        try:
            return name(call(x @ y, y).dtype)
        except TypeError as failure:
            return failure


# %%
# Which type does the kernel see when another one is registered than that of the block? Is autocast
# off while the kernel runs? And what becomes of an operator that writes to an input?

inside = {}


@torch.library.custom_op("site::observer", mutates_args=())
def observer(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    inside["types"] = f"{name(x.dtype)} {name(y.dtype)}"
    inside["on"] = torch.is_autocast_enabled(device.type)
    return x + y


observer.register_autocast(device.type, torch.float16)
outcome(observer)
in_block = dict(inside)
outcome(observer, None)
outside = inside["types"]
outcome(lambda a, b: observer(a.double(), b))
from_fp64 = inside["types"]


@torch.library.custom_op("site::add_into", mutates_args={"total"})
def add_into(total: torch.Tensor, x: torch.Tensor) -> None:
    total.add_(x)


add_into.register_autocast(device.type, torch.float32)


def total_after(block):
    total = torch.ones(4, device=device).bfloat16()
    with torch.autocast(device.type, dtype=torch.bfloat16, enabled=block):
        add_into(total, total.clone())
    return total.mean().item()


# %%
# Gradients pass through the cast, and come back in the types of the inputs.


def keep(ctx, inputs, output):
    ctx.types = [name(tensor.dtype) for tensor in (*inputs, output)]


def backward(ctx, grad):
    inside["backward"] = " ".join([*ctx.types, name(grad.dtype)])
    return grad, 2 * grad


scaled_add.register_autograd(backward, setup_context=keep)
hidden = x.bfloat16().requires_grad_()
weight = y.clone().requires_grad_()
with torch.autocast(device.type, dtype=torch.bfloat16):
    loss = scaled_add(hidden, weight).sum()
loss.backward()

measured = {
    "registered": outcome(scaled_add),
    "unregistered": outcome(unregistered),
    "plain": outcome(kernel),
    "unregistered_outside": outcome(unregistered, None),
    "registered_outside_low": outcome(lambda a, b: scaled_add(a.bfloat16(), b), None),
    "types_in_bf16_block": in_block["types"],
    "types_outside": outside,
    "types_from_fp64": from_fp64,
    "total_outside": total_after(False),
    "total_in_block": total_after(True),
    "on_in_kernel": in_block["on"],
    "types_in_backward": inside["backward"],
    "gradient_of_hidden": name(hidden.grad.dtype),
    "gradient_of_weight": name(weight.grad.dtype),
    "gradient_right": bool((weight.grad == 2).all()),
}
