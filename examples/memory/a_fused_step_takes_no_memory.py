"""
A fused step takes no memory
============================

Which form of an optimizer needs least? A loop over the parameters launches kernels for each of
them, ``foreach`` launches few but copies the state for a moment, and ``fused`` does all in few
kernels and takes nothing. With ``capturable``, a step can also be part of a CUDA graph.
"""

# sphinx_gallery_quiet = "nothing"
import warnings

import torch
from torch.profiler import ProfilerActivity, profile

LAYERS, WIDTH = 16, 1024
layers = [torch.nn.Linear(WIDTH, WIDTH, device="cuda") for _ in range(LAYERS)]
parameters = [parameter for layer in layers for parameter in layer.parameters()]
for parameter in parameters:
    parameter.grad = torch.randn_like(parameter)

optimizer = torch.optim.AdamW(parameters, fused=True)
optimizer.step()  # makes the state
before = torch.cuda.memory_allocated()
torch.cuda.reset_peak_memory_stats()
optimizer.step()
print(f"a step takes {torch.cuda.max_memory_allocated() - before} bytes for itself")

# %%
# All forms start from the same weights, and take the same gradients.

FORMS = {
    "default": {},
    "loop": {"foreach": False},
    "foreach": {"foreach": True},
    "fused": {"fused": True},
    "capturable_loop": {"foreach": False, "capturable": True},
    "capturable_foreach": {"foreach": True, "capturable": True},
    "capturable_fused": {"fused": True, "capturable": True},
}
start = [parameter.detach().clone() for parameter in parameters]
weights_bytes = sum(parameter.nbytes for parameter in parameters)


def launches(step):
    kinds = [ProfilerActivity.CPU, ProfilerActivity.CUDA]
    with profile(activities=kinds, acc_events=True) as seen:
        step()
    return sum("LaunchKernel" in event.name for event in seen.events())


def captured(step):
    graph = torch.cuda.CUDAGraph()
    with warnings.catch_warnings(action="ignore"):  # that a failed one is empty
        try:
            with torch.cuda.graph(graph):
                step()
        except RuntimeError as error:
            return error
    return True


def warned(step):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        step()
    return len(caught)


# %%
# Of each form: whether its first step warns, what a step takes for itself, its launches, and
# what comes of a capture. The first step makes the state, and loads kernels.

rows, ends, refused = [], {}, None
for form, options in FORMS.items():
    with torch.no_grad():
        for parameter, value in zip(parameters, start, strict=True):
            parameter.copy_(value)
    optimizer = torch.optim.AdamW(parameters, **options)
    row = {"form": form, "warned": warned(optimizer.step)}
    before = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    optimizer.step()
    taken = torch.cuda.max_memory_allocated() - before
    ends[form] = [parameter.detach().clone() for parameter in parameters]
    row |= {
        "taken_bytes": taken,
        "launches": launches(optimizer.step),
    }
    outcome = captured(optimizer.step)
    row["captured"] = outcome is True
    refused = outcome if form == "default" else refused
    row["same"] = all(map(torch.allclose, ends[form], ends["default"]))
    rows.append(row)
    print(row)

measured = {
    "parameters": len(parameters),
    "weights_bytes": weights_bytes,
    "largest_bytes": max(parameter.nbytes for parameter in parameters),
    "by_form": {"table": rows},
    "refused": refused,
}
