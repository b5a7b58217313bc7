"""
Casting inputs needs an autocast block
======================================

Does ``custom_fwd(cast_inputs=torch.float32)`` make a function run in FP32 everywhere? Only inside
an autocast block. Outside, it is called with what it is given. A small function around it
casts in both cases, and also works for a function that you cannot change.
"""

# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")


def in_full_precision(function, *tensors):
    low = torch.float16, torch.bfloat16  # leave FP64, integers and booleans alone
    cast = (tensor.float() if tensor.dtype in low else tensor for tensor in tensors)
    with torch.autocast(device.type, enabled=False):
        return function(*cast)


x, w = torch.randn(2, 16, 16, device=device, dtype=torch.bfloat16)
print(torch.mm(x, w).dtype, in_full_precision(torch.mm, x, w).dtype)

# %%
# A function that needs FP32, decorated as in the notes. It keeps the types that it sees, and the
# state of autocast in forward and backward.

seen = {}


def name(dtype):
    return str(dtype).removeprefix("torch.")


class InFP32(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type=device.type, cast_inputs=torch.float32)
    def forward(ctx, a, others):
        seen["forward"] = name(a.dtype)
        seen["in_a_list"] = name(others[0].dtype)
        seen["forward_on"] = torch.is_autocast_enabled(device.type)
        ctx.save_for_backward(a)
        return a * a

    @staticmethod
    @torch.amp.custom_bwd(device_type=device.type)
    def backward(ctx, grad):
        (a,) = ctx.saved_tensors
        seen["backward"] = name((a @ grad).dtype)
        seen["backward_on"] = torch.is_autocast_enabled(device.type)
        return 2 * a * grad, None


# %%
# Call it with several types, in a BF16 block and outside. Backward stands at the same place.

GIVEN = (torch.float32, torch.bfloat16, torch.float16, torch.float64, torch.int64)
rows = []
for block in (True, False):
    for dtype in GIVEN:
        leaf = torch.ones(16, 16, device=device).to(dtype)
        leaf.requires_grad_(dtype.is_floating_point)
        seen.clear()
        with torch.autocast(device.type, dtype=torch.bfloat16, enabled=block):
            result = InFP32.apply(leaf, [leaf.detach()])
            if leaf.requires_grad:
                result.sum().backward()
        grad = leaf.grad.dtype if leaf.requires_grad else None
        place = "inside" if block else "outside"
        row = {"call": f"{name(dtype)}, {place}", "result": name(result.dtype)}
        row["gradient"] = name(grad) if grad else "none"
        keys = ("forward", "in_a_list", "forward_on", "backward", "backward_on")
        rows.append(row | {key: seen.get(key, "none") for key in keys})
        print(*rows[-1].values())

# %%
# A function that cannot be changed meets a weight in FP32 and a hidden state of the block.
# Switching autocast off does not suffice: the hidden state has to be cast, too.

LOW = torch.bfloat16


def imported(hidden, weight):
    return hidden.mm(weight) + torch.linalg.inv(weight)


def with_block(call):
    weight = torch.eye(16, device=device)
    with torch.autocast(device.type, dtype=LOW):
        hidden = torch.ones(16, 16, device=device) @ weight
        try:
            return name(call(hidden, weight).dtype)
        except RuntimeError as failure:
            return failure


def disabled_only(hidden, weight):
    with torch.autocast(device.type, enabled=False):
        return imported(hidden, weight)


def disabled_and_cast(hidden, weight):
    return in_full_precision(imported, hidden, weight)


indices = torch.arange(4, device=device)
measured = {
    "calls": {"table": rows},
    "disabled_only": with_block(disabled_only),
    "disabled_and_cast": with_block(disabled_and_cast),
    "wrapped_indices": name(in_full_precision(torch.take, x, indices).dtype),
    "wrapped_outside": name(in_full_precision(torch.mm, x, w).dtype),
    "bare_outside": name(torch.mm(x, w).dtype),
}
