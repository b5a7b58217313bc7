"""
TF32 reaches these gradients
============================

Which backward passes does TF32 affect? Those that multiply matrices or run in cuDNN, as
in the forward pass, and some whose forward pass it leaves alone.
"""

# sphinx_gallery_quiet = "nothing"
from functools import partial

import torch
from torch import nn

# %%
# Gradients are taken with respect to all inputs that require them, and all parameters.

torch.manual_seed(0)
torch.set_default_device("cuda")
noise = partial(torch.randn, requires_grad=True)
square, batch, image = noise(512, 512), noise(8, 256, 256), noise(8, 64, 32, 32)
sequence, theta = noise(32, 64, 256), noise(8, 2, 3)
affine_grid = partial(nn.functional.affine_grid, align_corners=False)

# %%
# Operators whose backward pass multiplies matrices.

products = {
    "matmul": partial(torch.matmul, square, square),
    "bmm": partial(torch.bmm, batch, batch),
    "Linear": partial(nn.Linear(512, 512), square),
    "LSTMCell": partial(nn.LSTMCell(256, 256), sequence[0]),
    "cdist, 512 points": partial(torch.cdist, square, torch.randn(512, 512)),
    "affine_grid": partial(affine_grid, theta, (8, 1, 64, 64)),
    "affine_grid, 3-D": partial(affine_grid, noise(2, 3, 4), (2, 1, 16, 32, 32)),
}

# %%
# Operators whose backward pass runs in cuDNN.

in_cudnn = {
    "Conv1d": partial(nn.Conv1d(64, 64, 3), noise(8, 64, 1024)),
    "Conv2d": partial(nn.Conv2d(64, 64, 3), image),
    "Conv3d": partial(nn.Conv3d(32, 32, 3), noise(2, 32, 16, 32, 32)),
    "ConvTranspose2d": partial(nn.ConvTranspose2d(64, 64, 3), image),
    "LSTM": partial(nn.LSTM(256, 256), sequence),
    "GRU": partial(nn.GRU(256, 256), sequence),
}

# %%
# Operators that you might expect to be affected.

sample = partial(nn.functional.grid_sample, image, noise(8, 32, 32, 2))
others = {
    "grid_sample": partial(sample, align_corners=False),
    "grid_sample in cuDNN": partial(sample, align_corners=True),
    "cdist, 25 points": partial(torch.cdist, square[:25], torch.randn(25, 512)),
    "depthwise Conv2d": partial(nn.Conv2d(64, 64, 3, groups=64), image),
}

# %%
# The forward pass runs in full FP32, the backward pass with a switch set.


def set_precision(matmul, cudnn):
    torch.backends.cuda.matmul.fp32_precision = matmul
    torch.backends.cudnn.conv.fp32_precision = cudnn
    torch.backends.cudnn.rnn.fp32_precision = cudnn


def gradients(operator, matmul="ieee", cudnn="ieee"):
    set_precision("ieee", "ieee")
    result = operator()
    result = result[0] if isinstance(result, tuple) else result
    module = operator.func if isinstance(operator.func, nn.Module) else nn.Module()
    wanted = [x for x in operator.args if torch.is_tensor(x) and x.requires_grad]
    set_precision(matmul, cudnn)
    torch.manual_seed(1)
    upstream = torch.randn_like(result)
    found = torch.autograd.grad(result, [*wanted, *module.parameters()], upstream)
    return torch.cat([gradient.flatten() for gradient in found])


# %%
# A switch affects a gradient if the gradient changes by more than a hundred-thousandth of
# its largest element. Sums with no fixed order, as in `grid_sample`, change far less.

rows = []
for name, operator in {**products, **in_cudnn, **others}.items():
    full = gradients(operator)
    limit = 1e-5 * full.abs().max()
    arms = gradients(operator, matmul="tf32"), gradients(operator, cudnn="tf32")
    by_matmul, by_cudnn = [((arm - full).abs().max() > limit).item() for arm in arms]
    rows.append({"operator": name, "matmul": by_matmul, "cudnn": by_cudnn})
    print(f"{name:>26}: matmul {by_matmul!s:5}, cuDNN {by_cudnn!s:5}")

# %%
# How many in each group follow their own switch and no other?


def count(group, matmul, cudnn):
    row = {"matmul": matmul, "cudnn": cudnn}
    return sum({"operator": name, **row} in rows for name in group)


measured = {
    "reached": {"table": rows},
    "products": len(products),
    "products_by_matmul": count(products, True, False),
    "in_cudnn": len(in_cudnn),
    "in_cudnn_by_cudnn": count(in_cudnn, False, True),
    "others": len(others),
    "others_by_neither": count(others, False, False),
}
