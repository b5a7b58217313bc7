"""
Autocast casts the weights again
================================

How should I run inference in 16 bits? With converted weights: autocast casts all weights in each
block, and needs memory for the copies. In inference mode, it casts them in each call.
"""

# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
model = torch.nn.Sequential(*(torch.nn.Linear(1024, 1024) for _ in range(8)))
inputs = torch.randn(16, 1024, device=device)

model = model.to(device, torch.bfloat16).eval()
with torch.inference_mode():
    result = model(inputs.bfloat16())
print(result.dtype)

# %%
# A mode that sees every operation counts the casts of parameters, in three calls of the model.

from contextlib import ExitStack
from copy import deepcopy

from torch.utils._python_dispatch import TorchDispatchMode

CALLS = 3
CASTS = torch.ops.aten._to_copy, torch.ops.aten.to
opening_dtype = str(result.dtype)
converted, in_bf16 = model, inputs.bfloat16()
trainable = deepcopy(model).float()
frozen = deepcopy(trainable).requires_grad_(False)


class Counter(TorchDispatchMode):
    """Counts the casts of parameters."""

    count = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        """Run an operation, and count it if it casts a parameter."""
        is_cast = function.overloadpacket in CASTS
        self.count += is_cast and isinstance(args[0], torch.nn.Parameter)
        return function(*args, **(kwargs or {}))


def cast(**options):
    return torch.autocast(device.type, torch.bfloat16, **options)


# %%
# Each way has the model and its inputs, what surrounds all calls, and what surrounds each.

NO_GRAD, INFERENCE = torch.no_grad, torch.inference_mode
WAYS = {
    "FP32": (trainable, inputs, (NO_GRAD,), ()),
    "a block for each call": (trainable, inputs, (NO_GRAD,), (cast,)),
    "one block": (trainable, inputs, (NO_GRAD, cast), ()),
    "one block, inference mode": (trainable, inputs, (INFERENCE, cast), ()),
    "one block, no gradients wanted": (frozen, inputs, (NO_GRAD, cast), ()),
    "one block, no cache": (
        trainable,
        inputs,
        (NO_GRAD, lambda: cast(cache_enabled=False)),
        (),
    ),
    "bfloat16": (converted, in_bf16, (INFERENCE,), ()),
}


def run(given, taken, around, in_call):
    with ExitStack() as outer:
        for context in around:
            outer.enter_context(context())
        for _ in range(CALLS):
            with ExitStack() as inner:
                for context in in_call:
                    inner.enter_context(context())
                given(taken)


# %%
# On a GPU, how much memory do the calls take beyond the model and its inputs, as a share of the
# FP32 weights? The first run loads what the GPU needs, which stays.


def peak_share(way):
    if not found:
        return 0.0
    torch.accelerator.synchronize()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    run(*WAYS[way])
    torch.accelerator.synchronize()
    return (torch.cuda.max_memory_allocated() - before) / weights_bytes


weights_bytes = sum(weight.nbytes for weight in trainable.parameters())
rows = []
for way in WAYS:
    run(*WAYS[way])
    with Counter() as counter:
        run(*WAYS[way])
    rows.append({"way": way, "casts": counter.count, "peak_share": peak_share(way)})
print(*rows, sep="\n")

measured = {
    "opening_dtype": opening_dtype,
    "parameters": len([*trainable.parameters()]),
    "calls": CALLS,
    "by_way": {"table": rows},
    "converted_share": sum(p.nbytes for p in converted.parameters()) / weights_bytes,
}
