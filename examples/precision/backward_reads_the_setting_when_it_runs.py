"""
Backward reads the setting when it runs
=======================================

Which precision does a backward pass run in? In the one that is set when ``backward`` runs,
whatever was set in the forward pass. To keep a part of a model in full FP32, its backward pass
needs the setting, too: a custom function can set it in both.
"""

# sphinx_gallery_evidence = {"expected_warnings": ["Attempting to run cuBLAS"]}
# sphinx_gallery_quiet = "nothing"
from contextlib import contextmanager

import torch
from torch.backends import cuda, cudnn

OPERATORS = cuda.matmul, cudnn.conv, cudnn.rnn


@contextmanager
def precision(word):  # "ieee" is full FP32
    before = [operator.fp32_precision for operator in OPERATORS]
    try:
        for operator in OPERATORS:
            operator.fp32_precision = word
        yield
    finally:
        for operator, was in zip(OPERATORS, before):
            operator.fp32_precision = was


# %%
# Three operators, each with inputs and weights of its own. Their sums are in the same order each
# time. The program runs in one precision, and a block around the forward pass in another.

at_first = [operator.fp32_precision for operator in OPERATORS]
cudnn.deterministic = True
torch.manual_seed(0)
linear = torch.nn.Linear(1024, 1024, device="cuda")
convolution = torch.nn.Conv2d(64, 64, 3, device="cuda")
recurrent = torch.nn.GRU(256, 256, device="cuda")
CASES = {
    "linear": (linear, linear.weight, (512, 1024)),
    "convolution": (convolution, convolution.weight, (8, 64, 32, 32)),
    "recurrent": (lambda x: recurrent(x)[0], recurrent.weight_ih_l0, (16, 32, 256)),
}


def gradient(name, program, block):
    layer, weight, shape = CASES[name]
    torch.manual_seed(1)
    x = torch.randn(shape, device="cuda")
    with precision(program):
        with precision(block):
            result = layer(x)
        upstream = torch.randn_like(result)
        return torch.autograd.grad(result, weight, upstream)[0]


# %%
# The error of a gradient, against the one that is in full FP32 both ways. With the block
# around the forward pass alone, it is as large as with no block at all.


def error(name, program, block):
    full = gradient(name, "ieee", "ieee")
    change = (gradient(name, program, block) - full).abs().max()
    return float(f"{change / full.abs().max():.1e}")


rows = []
for name in CASES:
    rows.append({"layer": name, "tf32_throughout_share": error(name, "tf32", "tf32")})
    rows[-1]["forward_alone_share"] = error(name, "tf32", "ieee")
    print(rows[-1])

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
weight = linear.weight
with precision("tf32"):
    (found,) = torch.autograd.grad(InFullPrecision.apply(x, weight).sum(), weight)
    (in_tf32,) = torch.autograd.grad((x @ weight.T).sum(), weight)
with precision("ieee"):
    (full,) = torch.autograd.grad((x @ weight.T).sum(), weight)
print(torch.equal(found, full), torch.equal(in_tf32, full))

# %%
# Errors are shares of the largest element. After an error in a block, the settings read as before.

from contextlib import suppress

cudnn.deterministic = False
with suppress(ValueError), precision("ieee"):
    inside = [operator.fp32_precision for operator in OPERATORS]
    raise ValueError
after = [operator.fp32_precision for operator in OPERATORS]

measured = {
    "by_layer": {"table": rows},
    "custom_function_is_full": torch.equal(found, full),
    "without_it_is_full": torch.equal(in_tf32, full),
    "inside_differs": inside != at_first,
    "settings_as_found": after == at_first,
}
