"""
Restoring a setting pins it
===========================

Why does turning TF32 off not turn it off? A getter gives what an operator inherits. Whoever
reads a setting and later sets what was read gives the operator a setting of its own, and it
inherits no longer. ``cudnn.flags``, ``torch.compile`` and ``torch.export`` all do that.
"""

# sphinx_gallery_evidence = {"timeout": 240}
# sphinx_gallery_quiet = "nothing"
import torch
from torch.backends import cuda, cudnn

torch.backends.fp32_precision = "tf32"
before = cuda.matmul.fp32_precision  # "tf32", which is inherited
cuda.matmul.fp32_precision = "ieee"  # for a block of code
cuda.matmul.fp32_precision = before  # and back: now it is the matmul's own

torch.backends.fp32_precision = "ieee"
print(f"matmul {cuda.matmul.fp32_precision!r}")

# %%
# Four ways to do it, and two that leave the matmul without a setting: to set "none" after a
# block, and to do nothing. The compiler's backend does not matter: Dynamo does it.

import warnings

matrix = torch.randn(1024, 1024, device="cuda")


def read_and_set_back():
    kept, cuda.matmul.fp32_precision = cuda.matmul.fp32_precision, "ieee"
    cuda.matmul.fp32_precision = kept


def cudnn_flags():
    with cudnn.flags(enabled=True):
        pass


def compiling():
    with warnings.catch_warnings(action="ignore"):  # the compiler's own
        torch.compiler.reset()
        torch.compile(torch.sin, backend="eager")(matrix)


def exporting():
    with warnings.catch_warnings(action="ignore"):
        torch.export.export(torch.nn.ReLU(), (matrix,))


def set_none_afterwards():
    cuda.matmul.fp32_precision = "ieee"
    cuda.matmul.fp32_precision = "none"


def nothing():
    pass


WAYS = [read_and_set_back, cudnn_flags, compiling, exporting]
WAYS += [set_none_afterwards, nothing]

# %%
# Each way runs while the generic setting is "tf32". Then that is set to "ieee": does the
# matmul follow? Its result tells, as does what cuDNN's setting and its own one read.


def set_all(word, own="none"):
    torch.backends.fp32_precision = word
    cudnn.fp32_precision, cuda.matmul.fp32_precision = "none", own


set_all("none", "tf32")
in_tf32 = matrix @ matrix
rows = []
for way in WAYS:
    set_all("tf32")
    way()
    torch.backends.fp32_precision = "ieee"
    row = {"way": way.__name__, "matmul": cuda.matmul.fp32_precision}
    row |= {
        "cudnn": cudnn.fp32_precision,
        "in_tf32": torch.equal(matrix @ matrix, in_tf32),
    }
    rows.append(row)
    print(row)
set_all("none")

# %%
# The other way round: full FP32 stays on. A setting that the matmul has of its own stays
# what it was, because compiling sets the same again.

set_all("ieee")
compiling()
torch.backends.fp32_precision = "tf32"
follows = torch.equal(matrix @ matrix, in_tf32)

set_all("tf32", own="ieee")
compiling()
own_after_compiling = cuda.matmul.fp32_precision
set_all("none")

# %%
# ``cudnn.flags`` also reads an older flag, which raises once convolutions have a newer setting.

cudnn.conv.fp32_precision = "ieee"
try:
    cudnn_flags()
    flags_error = "none"
except RuntimeError as error:
    flags_error = type(error).__name__
    print(error)
cudnn.conv.fp32_precision = "tf32"
measured = {
    "by_way": {"table": rows},
    "follows_tf32_after_compiling_in_fp32": follows,
    "own_after_compiling": own_after_compiling,
    "flags_after_a_newer_setting": flags_error,
}
