"""
A new tensor in forward follows its input
=========================================

Why does my module fail only on the GPU? It makes a tensor in ``forward`` without saying where.
A tensor that is made from the input or kept as a buffer is where the module works.
"""

# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")


def forward(cell, steps):
    state = steps.new_zeros(len(steps), 16)  # with the input's device and type
    for step in steps.unbind(1):
        state = cell(step, state)
    return state


cell = torch.nn.GRUCell(4, 16).to(device)
print(forward(cell, torch.ones(2, 5, 4, device=device)).device)

# %%
# Each of these functions adds zeros to its input but takes the zeros from a different source.


def from_a_factory(_, x):
    return x + torch.zeros(x.shape[-1])


def from_the_input(_, x):
    return x + x.new_zeros(x.shape[-1])


def from_a_factory_with_both(_, x):
    return x + torch.zeros(x.shape[-1], dtype=x.dtype, device=x.device)


def from_the_module(module, x):
    return x + module.zeros


def from_a_number(_, x):
    return x + torch.tensor(0.0)


# %%
# A module that moves takes its buffers along, but no other tensor that is an attribute.


def with_attribute():
    module = torch.nn.Module()
    module.zeros = torch.zeros(4)
    return module


def with_buffer():
    module = torch.nn.Module()
    module.register_buffer("zeros", torch.zeros(4))
    return module


# %%
# Each function runs on the host, on the device, and on the device in half precision. Does the
# result have the device and the type of its input?


def outcome(make, add, place, dtype):
    x = torch.ones(3, 4, dtype=dtype, device=place)
    try:
        y = add(make().to(place, dtype), x)
    except RuntimeError as failure:
        return failure
    return (y.device, y.dtype) == (x.device, x.dtype)


TRIED = {
    "factory": (torch.nn.Module, from_a_factory),
    "new": (torch.nn.Module, from_the_input),
    "factory_with_both": (torch.nn.Module, from_a_factory_with_both),
    "attribute": (with_attribute, from_the_module),
    "buffer": (with_buffer, from_the_module),
    "number": (torch.nn.Module, from_a_number),
}
rows, errors = [], {}
for name, way in TRIED.items():
    on_host = outcome(*way, "cpu", torch.float32)
    errors[name] = outcome(*way, device, torch.float32)
    half = outcome(*way, device, torch.float16)
    row = {"way": name, "host": on_host is True, "device": errors[name] is True}
    rows.append({**row, "half": half is True})
    print(rows[-1])

# %%
# The last function shows the exception: a number without a dimension may stay on the host.

measured = {
    "ways": {"table": rows},
    "factory": errors["factory"],
    "attribute": errors["attribute"],
}
