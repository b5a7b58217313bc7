"""
TF32 reaches these operators
============================

Which operators does TF32 affect, and which switch controls each? Operators that multiply
matrices follow the matmul switch, those in cuDNN may follow cuDNN's, and some follow neither.
"""

# sphinx_gallery_evidence = {"expected_warnings": ["Attempting to run cuBLAS"]}
# sphinx_gallery_quiet = "nothing"
from functools import partial

import torch
from torch import nn, randn

# %%
# A convolution runs in cuDNN, unless cuDNN is disabled.

torch.manual_seed(0)
torch.set_default_device("cuda")
square, batch, image = randn(512, 512), randn(8, 256, 256), randn(8, 64, 32, 32)
sequence, heads = randn(32, 64, 256), randn(2, 8, 256, 64)
softmax = nn.AdaptiveLogSoftmaxWithLoss(512, 1000, cutoffs=[126, 510])
conv2d = partial(nn.Conv2d(64, 64, 3), image)

# %%
# Operators that multiply matrices.

products = {
    "matmul": lambda: square @ square,
    "bmm": partial(torch.bmm, batch, batch),
    "tensordot": partial(torch.tensordot, square, square, dims=1),
    "Linear": partial(nn.Linear(512, 512), square),
    "AdaptiveLogSoftmaxWithLoss": partial(softmax, square, torch.randint(1000, (512,))),
    "cdist, 512 points": partial(torch.cdist, square, square),
    "LSTMCell": partial(nn.LSTMCell(256, 256), sequence[0]),
    "Conv2d without cuDNN": conv2d,
}

# %%
# Operators that run in cuDNN.

signal = randn(8, 64, 1024)
in_cudnn = {
    "Conv2d": conv2d,
    "Conv3d": partial(nn.Conv3d(32, 32, 3), randn(2, 32, 16, 32, 32)),
    "LSTM": partial(nn.LSTM(256, 256), sequence),
    "GRU": partial(nn.GRU(256, 256), sequence),
}
transposed = {
    "ConvTranspose1d": partial(nn.ConvTranspose1d(64, 64, 3), signal),
    "ConvTranspose2d": partial(nn.ConvTranspose2d(64, 64, 3), image),
}

# %%
# Operators that you might expect to be affected, including some convolutions in cuDNN.

grid_sample = partial(nn.functional.grid_sample, image, randn(8, 32, 32, 2))
affine_grid = partial(nn.functional.affine_grid, align_corners=False)
depthwise, channels_last = nn.Conv2d(64, 64, 3, groups=64), torch.channels_last
others = {
    "Conv1d": partial(nn.Conv1d(64, 64, 3), signal),
    "Conv2d, 16 channels": partial(nn.Conv2d(16, 16, 3), randn(8, 16, 32, 32)),
    "Conv2d, 4 groups": partial(nn.Conv2d(64, 64, 3, groups=4), image),
    "affine_grid": partial(affine_grid, randn(8, 2, 3), (8, 1, 64, 64)),
    "affine_grid, 3-D": partial(affine_grid, randn(2, 3, 4), (2, 1, 16, 32, 32)),
    "grid_sample": partial(grid_sample, align_corners=False),
    "grid_sample in cuDNN": partial(grid_sample, align_corners=True),
    "cdist, 25 points": partial(torch.cdist, square[:25], square[:25]),
    "depthwise Conv2d": partial(depthwise, image),
    "depthwise, NHWC": lambda: depthwise(image.to(memory_format=channels_last)),
    "attention": partial(nn.functional.scaled_dot_product_attention, *[heads] * 3),
    "mv": partial(torch.mv, square, square[0]),
    "FP64 matmul": lambda: square.double() @ square.double(),
    "BF16 matmul": lambda: square.bfloat16() @ square.bfloat16(),
}

# %%
# A switch affects an operator if it changes the result by more than a hundred-thousandth of
# its largest element. Sums with no fixed order change far less, but not always by nothing.


def run(operator, matmul="ieee", cudnn="ieee"):
    torch.backends.cuda.matmul.fp32_precision = matmul
    torch.backends.cudnn.conv.fp32_precision = cudnn
    torch.backends.cudnn.rnn.fp32_precision = cudnn
    result = operator()
    return result[0] if isinstance(result, tuple) else result


rows, unsteady = [], []
for name, operator in {**products, **in_cudnn, **transposed, **others}.items():
    torch.backends.cudnn.enabled = "without cuDNN" not in name
    full = run(operator)
    limit = 1e-5 * full.abs().max()
    arms = run(operator, matmul="tf32"), run(operator, cudnn="tf32")
    by_matmul, by_cudnn = [((arm - full).abs().max() > limit).item() for arm in arms]
    rows.append({"operator": name, "matmul": by_matmul, "cudnn": by_cudnn})
    unsteady += [name] * any(not torch.equal(full, run(operator)) for _ in range(5))
    print(f"{name:>26}: matmul {by_matmul!s:5}, cuDNN {by_cudnn!s:5}")

# %%
# How many in each group follow their own switch and no other?


def count(group, *affected):
    return sum((*row.values(),) == (name, *affected) for row in rows for name in group)


measured = {
    "reached": {"table": rows},
    "unsteady": len({*unsteady} - {*transposed}),
    "unsteady_transposed": len({*unsteady} & {*transposed}),
    "transposed": len(transposed),
    "products": len(products),
    "products_by_matmul": count(products, True, False),
    "in_cudnn": len(in_cudnn),
    "in_cudnn_by_cudnn": count(in_cudnn, False, True),
    "others": len(others),
    "others_by_neither": count(others, False, False),
}
