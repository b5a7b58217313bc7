"""
Anomaly mode sees no infinity
=============================

Which tool finds the operation that made the first NaN? Anomaly mode only looks at gradients, and
only for NaN. A mode that sees every operation finds the first NaN and the first infinity.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves


class FirstBad(TorchDispatchMode):
    """Remembers the first operation that gave an infinity, and the first that gave NaN."""

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        """Run an operation, and look at its results; this waits for the GPU."""
        result = function(*args, **(kwargs or {}))
        leaves = [] if "empty" in str(function) else tree_leaves(result)
        for tensor in (leaf for leaf in leaves if isinstance(leaf, torch.Tensor)):
            for test in (torch.isinf, torch.isnan):
                if test(tensor).any():
                    vars(self).setdefault(test.__name__, str(function))
        return result


# %%
# Forward passes with a mistake, each in a function of one line, on inputs that have a zero.

import warnings

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")


def infinite_gradient(x):
    return x.sqrt().sum()


def hidden_division(x):
    return torch.where(x > 0, x.sqrt(), 0.0).sum()


def empty_softmax(x):
    return x.masked_fill(x >= 0, -torch.inf).softmax(0).square().sum()


def logarithm(x):
    return (x.log() * x).sum()


def overflow(x):
    return ((x.half() * 1e4) * 1e4).float().tanh().sum()


def sound(x):
    return (x + 1).log().square().sum()


CASES = infinite_gradient, hidden_division, empty_softmax, logarithm, overflow, sound


def backward(case):
    x = torch.tensor([0.0, 1.0, 2.0], device=device, requires_grad=True)
    loss = case(x)
    loss.backward()
    return loss, x.grad


def word(tensor):
    if tensor.isnan().any():
        return "NaN"
    return "finite" if tensor.isfinite().all() else "infinite"


# %%
# What does anomaly mode say, and does its warning show the line of the mistake?


def by_anomaly_mode(case):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            with torch.autograd.detect_anomaly():
                backward(case)
        except RuntimeError as error:
            shown = any(case.__name__ in str(w.message) for w in caught[1:])
            return error, str(error).split("'")[1], shown
    return None, "nothing", False


rows, said, shown = [], None, 0
for case in CASES:
    with FirstBad() as mode:
        loss, gradient = backward(case)
    error, name, is_shown = by_anomaly_mode(case)
    shown += is_shown
    said = said or error
    row = {"case": case.__name__.replace("_", " "), "loss": word(loss)}
    row |= {"gradient": word(gradient), "anomaly_mode": name}
    row |= {kind: vars(mode).get(kind, "nothing") for kind in ("isinf", "isnan")}
    rows.append(row)
    print(row)

# %%
# An operation is named as PyTorch's dispatcher names it. All cases but the last one are bad.

measured = {
    "by_case": {"table": rows},
    "said": said,
    "bad_cases": len(rows) - 1,
    "lines_shown": shown,
    "named_by_anomaly_mode": sum(row["anomaly_mode"] != "nothing" for row in rows),
    "named_by_the_mode": sum(
        {row["isinf"], row["isnan"]} != {"nothing"} for row in rows
    ),
}
