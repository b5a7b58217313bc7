"""
Some operators wait for the GPU
===============================

Which operators of PyTorch make the host wait? Each one runs on PyTorch's own sample inputs,
forward and backward: in the sync debug mode, which may report it, and behind a kernel that holds
the stream, which shows whether it waits.
"""

# sphinx_gallery_evidence = {"fresh": True, "timeout": 120}
import sys
import unittest
import warnings
from collections import Counter
from contextlib import suppress
from functools import partial
from itertools import islice

import torch
from torch.utils._pytree import tree_leaves

# %%
# The samples belong to PyTorch's own tests: they are private, and trigger many warnings. Of a
# package that may be missing, the tests need a class that ``unittest`` has, too.

warnings.simplefilter("ignore")
sys.modules["expecttest"] = unittest
from torch.testing._internal.common_methods_invocations import op_db

SAMPLES = 8  # of each operator, at most
SHORT, LONG = 4_000_000, 30_000_000  # cycles: some milliseconds, and more than ten
event = torch.cuda.Event()

# %%
# An operator's calls: in FP32 where it takes it, and with gradients where it has them.


def forward_calls(operator):
    kinds = operator.supported_dtypes("cuda")
    kind = torch.float32 if torch.float32 in kinds else min(kinds, key=str)
    learns = operator.supports_autograd and kind.is_floating_point
    samples = operator.sample_inputs("cuda", kind, requires_grad=learns)
    for x in islice(samples, SAMPLES):
        yield partial(operator, x.input, *x.args, **x.kwargs)


def backward_call(call):
    trees = [tree_leaves(tree) for tree in ((call.args, call.keywords), call())]
    inputs, outputs = (
        [x for x in leaves if getattr(x, "requires_grad", False)] for leaves in trees
    )
    ones = [torch.ones_like(x) for x in outputs]
    grad = partial(torch.autograd.grad, retain_graph=True, allow_unused=True)
    return outputs and partial(grad, outputs, inputs, ones)


# %%
# The first two calls load kernels and allocate memory; those that raise are left out. What the
# mode reports, it can also raise, even from the thread that runs backward.


def error_of(call):
    try:
        call()
        return ""
    except Exception as error:
        return str(error) or "nameless"


def usable(calls):
    return (call for call in calls if call and not (error_of(call) or error_of(call)))


def is_reported(call):
    torch.cuda.set_sync_debug_mode("error")
    error = error_of(call)
    torch.cuda.set_sync_debug_mode("default")
    return "called a synchronizing CUDA operation" in error


# %%
# A call that waits returns after the kernel that holds the stream, which here only sleeps. (Its
# function is private to PyTorch and may change.) A slow call may outlast a short sleep: try both.


def is_over(call, cycles):
    torch.cuda.synchronize()
    torch.cuda._sleep(cycles)
    event.record()
    call()
    return event.query()


# %%
# Count the calls of each operator that waited, that the mode reported, and that did only one of
# the two: the mode missed them, or reported them in vain.

table, totals = [], Counter()
for tried in op_db:
    ways = {"forward": [], "backward": []}
    with suppress(Exception):  # some have no samples for the GPU
        ways["forward"].extend(usable(forward_calls(tried)))
        ways["backward"].extend(usable(map(backward_call, ways["forward"])))
    counts = Counter()
    for way, calls in ways.items():
        waits = [is_over(call, SHORT) and is_over(call, LONG) for call in calls]
        told = list(map(is_reported, calls))
        counts[f"{way}_calls"] = len(calls)
        counts[f"{way}_waited"], counts[f"{way}_reported"] = sum(waits), sum(told)
        counts[f"{way}_missed"] = sum(w > t for w, t in zip(waits, told))
        counts[f"{way}_in_vain"] = sum(t > w for w, t in zip(waits, told))
    totals.update({f"{name}_operators": n > 0 for name, n in counts.items()}, **counts)
    if any(n for name, n in counts.items() if "calls" not in name):
        table.append({"operator": tried.full_name, **counts})
        print(*table[-1].values())

# An operator without a row neither waited nor was reported.
measured = {"samples": SAMPLES, "operators": len(op_db), **totals}
measured["by_operator"] = {"table": table}
