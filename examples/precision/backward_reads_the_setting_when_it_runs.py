"""
Backward reads the setting when it runs
=======================================

Which precision does a backward pass run in? In the one that is set when ``backward`` runs,
whatever was set in the forward pass. To keep a part of a model in full FP32, its backward pass
needs the setting, too: a custom function can set it in both.
"""

# sphinx_gallery_evidence = {"expected_warnings": ["Attempting to run cuBLAS"]}
from contextlib import contextmanager

import torch
from torch.backends import cuda, cudnn


@contextmanager
def precision(word):  # "ieee" is full FP32
    operators = cuda.matmul, cudnn.conv, cudnn.rnn
    for operator in operators:
        operator.fp32_precision = word
    yield
    for operator in operators:
        operator.fp32_precision = "tf32"  # what the rest of this program uses


# %%
# Three operators, each with inputs and weights of its own. Their sums are in the same order each
# time.

cudnn.deterministic = True
torch.manual_seed(0)
linear = torch.nn.Linear(1024, 1024, device="cuda")
convolution = torch.nn.Conv2d(64, 64, 3, device="cuda")
recurrent = torch.nn.GRU(256, 256, device="cuda")
CASES = {
    "linear": (linear, linear.weight, (512, 1024)),
    "convolution": (convolution, convolution.weight, (8, 64, 32, 32)),
    "recurrent": (recurrent, recurrent.weight_ih_l0, (16, 32, 256)),
}


def gradient(name, forward, backward):
    layer, weight, shape = CASES[name]
    torch.manual_seed(1)
    x = torch.randn(shape, device="cuda")
    with precision(forward):
        result = layer(x)
        result = result[0] if isinstance(result, tuple) else result
    upstream = torch.randn_like(result)
    with precision(backward):
        (found,) = torch.autograd.grad(result, weight, upstream)
    return found


# %%
# The error of a gradient, against the one that is in full FP32 both ways. With the block
# around the forward pass alone, it is as large as with no block at all.


def error(name, forward, backward):
    full = gradient(name, "ieee", "ieee")
    change = (gradient(name, forward, backward) - full).abs().max()
    return float(f"{change / full.abs().max():.1e}")


rows = []
for name in CASES:
    row = {"layer": name, "tf32_throughout_share": error(name, "tf32", "tf32")}
    row["forward_alone_share"] = error(name, "ieee", "tf32")
    row["full_fp32_repeats"] = error(name, "ieee", "ieee") <= 1e-6
    rows.append(row)
    print(row)

# %%
# A custom function sets the precision in both passes.


class InFullPrecision(torch.autograd.Function):
    @staticmethod
    def forward(context, x, weight):
        context.save_for_backward(x, weight)
        with precision("ieee"):
            return x @ weight.T

    @staticmethod
    def backward(context, upstream):
        x, weight = context.saved_tensors
        with precision("ieee"):
            return upstream @ weight, upstream.T @ x


x = torch.randn(512, 1024, device="cuda")
with precision("tf32"):
    (found,) = torch.autograd.grad(
        InFullPrecision.apply(x, linear.weight).sum(), linear.weight
    )
    (in_tf32,) = torch.autograd.grad((x @ linear.weight.T).sum(), linear.weight)
with precision("ieee"):
    (full,) = torch.autograd.grad((x @ linear.weight.T).sum(), linear.weight)
print(torch.equal(found, full), torch.equal(in_tf32, full))

# %%
# Errors are shares of the largest element of a gradient.

measured = {
    "by_layer": {"table": rows},
    "custom_function_is_full": torch.equal(found, full),
    "without_it_is_full": torch.equal(in_tf32, full),
}
