"""
Misspelt settings are silent
============================

Why does a precision setting do nothing? Perhaps it does not exist: assigning to a name that is
misspelt, or in the wrong module, often raises nothing. A wrong value raises, except for
``set_float32_matmul_precision``, which warns. Read the operator's own setting after you set it.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch import backends
from torch.backends import cuda, cudnn

cuda.fp32_precision = "tf32"  # no such setting: this makes a new variable
print(f"matmul {cuda.matmul.fp32_precision!r}")

cuda.matmul.fp32_precision = "tf32"
print(f"matmul {cuda.matmul.fp32_precision!r}")
cuda.matmul.fp32_precision = "none"

# %%
# Statements that are wrong in some way, and two that are right.

WRONG_NAMES = [
    "cuda.fp32_precision = 'tf32'",
    "cuda.allow_tf32 = True",
    "backends.allow_tf32 = True",
    "backends.fp32_precisions = 'tf32'",
    "cudnn.fp32_precisions = 'ieee'",
    "cudnn.rnn.fp32_precisions = 'ieee'",
    "cudnn.rnn.allow_tf32 = False",
    "cudnn.conv.allow_tf32 = False",
    "cudnn.conv.fp32_precisions = 'ieee'",
    "cuda.matmul.fp32_precisions = 'tf32'",
]
WRONG_VALUES = [
    "cuda.matmul.fp32_precision = 'TF32'",
    "cuda.matmul.fp32_precision = 'fp32'",
    "cuda.matmul.fp32_precision = 'high'",
    "cuda.matmul.fp32_precision = True",
    "cuda.matmul.fp32_precision = 'bf16'",
    "cuda.matmul.fp32_precision = 'bfx9'",
    "cudnn.conv.fp32_precision = 'bf16'",
    "cuda.matmul.allow_tf32 = 'tf32'",
    "torch.set_float32_matmul_precision('High')",
    "torch.set_float32_matmul_precision('tf32')",
    "backends.fp32_precision = 'bf16'",
]
RIGHT = [
    "cuda.matmul.fp32_precision = 'tf32'",
    "torch.set_float32_matmul_precision('high')",
]

# %%
# Each statement either raises, warns, or says nothing. Does any setting change? Does a matmul run
# in TF32, which cannot hold this number?

import warnings

number, one = torch.full((512, 512), 1 + 2**-12).cuda(), torch.eye(512).cuda()
CPU = backends.mkldnn
KINDS = [cuda.matmul, cudnn, cudnn.conv, cudnn.rnn, backends]
KINDS += [CPU.matmul, CPU.conv, CPU.rnn]


def read():
    return [kind.fp32_precision for kind in KINDS]


def said_by(statement):
    with warnings.catch_warnings(record=True, action="always") as warned:
        try:
            exec(statement)
        except Exception as error:
            return f"{type(error).__name__}: {str(error).splitlines()[0]}"
    return f"warns: {warned[0].message}".partition(" (")[0] if warned else "nothing"


rows = []
for statement in WRONG_NAMES + WRONG_VALUES + RIGHT:
    before = read()
    row = {"statement": statement, "said": said_by(statement)}
    row |= {"changes_a_setting": read() != before, "matmul": cuda.matmul.fp32_precision}
    row["in_tf32"] = not torch.equal(number @ one, number)
    torch.set_float32_matmul_precision("highest")
    for setting in (backends, cuda.matmul, CPU.matmul):
        setting.fp32_precision = "none"
    rows.append(row)
    print(row)

# %%
# The generic setting takes "bf16", which is for CPUs: on the GPU, it counts as "none".

backends.fp32_precision = "bf16"
matmul_of_bf16 = cuda.matmul.fp32_precision
cpu_of_bf16 = CPU.matmul.fp32_precision
backends.fp32_precision = "none"
print(f"after the generic bf16: matmul {matmul_of_bf16!r}, on the CPU {cpu_of_bf16!r}")

# %%
# Which of the wrong names went unnoticed? To read such a name does not help: it is a variable now.

wrong = rows[: len(WRONG_NAMES)]
silent = [row["statement"] for row in wrong if row["said"] == "nothing"]
places = dict(statement.split(" = ") for statement in silent)
read_back = [eval(place) == eval(word) for place, word in places.items()]
exec("; ".join(f"del {place}" for place in places))
measured = {
    "by_statement": {"table": rows},
    "wrong_names": len(wrong),
    "silent_names": len(silent),
    "names_that_change": sum(row["changes_a_setting"] for row in wrong),
    "names_that_read_back": sum(read_back),
    "matmul_of_generic_bf16": matmul_of_bf16,
    "cpu_of_generic_bf16": cpu_of_bf16,
}
