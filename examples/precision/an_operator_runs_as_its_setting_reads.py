"""
An operator runs as its setting reads
=====================================

Can you trust what ``fp32_precision`` reads? Yes: with every combination of settings, old and
new, a matmul, a convolution and a recurrent layer run in TF32 exactly if their own setting
reads "tf32", wherever that word came from.
"""

# sphinx_gallery_quiet = "nothing"
from itertools import product

import torch
from torch import backends
from torch.backends import cuda, cudnn

matrix = torch.randn(1024, 1024, device="cuda")
image = torch.randn(8, 64, 32, 32, device="cuda")
kernel = torch.randn(64, 64, 3, 3, device="cuda")
layer = torch.nn.GRU(256, 256, device="cuda")
sequence = torch.randn(16, 32, 256, device="cuda")
OPERATORS = {"matmul": cuda.matmul, "conv": cudnn.conv, "rnn": cudnn.rnn}


@torch.no_grad()
def results():
    return matrix @ matrix, torch.conv2d(image, kernel), layer(sequence)[0]


# %%
# The results in full FP32 and in TF32, to compare with: each set for the operator itself.

by_word = {}
for word in ("ieee", "tf32"):
    for operator in OPERATORS.values():
        operator.fp32_precision = word
    results()  # libraries and kernels are loaded
    by_word[word] = results()
print([torch.equal(*pair) for pair in zip(*by_word.values())])

# %%
# Every combination of the generic setting, cuDNN's and the operators' own ones, as
# statements; and each older setting with each newer one, in both orders.

WORDS = ("none", "ieee", "tf32")
wide = product((f"backends.fp32_precision = '{word}'" for word in WORDS), WORDS)
own = [
    [
        f"{at}.fp32_precision = '{word}'"
        for at in ("cuda.matmul", "cudnn.conv", "cudnn.rnn")
    ]
    for word in WORDS
]
combinations = [
    [generic, f"cudnn.fp32_precision = '{word}'", *last]
    for (generic, word), last in product(wide, ([], *own))
]
OLD = [
    *(f"cuda.matmul.allow_tf32 = {word}" for word in (False, True)),
    *(f"cudnn.allow_tf32 = {word}" for word in (False, True)),
    *(
        f"torch.set_float32_matmul_precision('{word}')"
        for word in ("highest", "high", "medium")
    ),
]
PLACES = ("backends", "cudnn", "cuda.matmul", "cudnn.conv", "cudnn.rnn")
NEW = [f"{at}.fp32_precision = '{word}'" for at in PLACES for word in WORDS[1:]]
mixtures = [pair for old, new in product(OLD, NEW) for pair in ([old, new], [new, old])]

# %%
# Each begins with the defaults. The older setters first: they also set what the newer ones read.


def reset():
    torch.set_float32_matmul_precision("highest")
    cudnn.allow_tf32 = True
    for each in (backends, cudnn, cuda.matmul, backends.mkldnn.matmul):
        each.fp32_precision = "none"


def state():
    return [operator.fp32_precision for operator in OPERATORS.values()]


counts = {
    name: {"runs_as_read": 0, "in_tf32": 0, "unset_in_fp32": 0, "unset": 0}
    for name in OPERATORS
}
for statements in combinations + mixtures:
    reset()
    for statement in statements:
        exec(statement)
    for name, read, result, *both in zip(
        OPERATORS, state(), results(), *by_word.values()
    ):
        full, in_tf32 = (torch.equal(result, one) for one in both)
        count = counts[name]
        count["runs_as_read"] += (
            (in_tf32 and not full) if read == "tf32" else (full and not in_tf32)
        )
        count["in_tf32"] += in_tf32
        count["unset"] += read == "none"
        count["unset_in_fp32"] += read == "none" and full
reset()
print(state(), counts)

# %%
# Each operator was asked in as many states.

rows = [{"operator": name, **count} for name, count in counts.items()]
measured = {
    "states": len(combinations) + len(mixtures),
    "by_operator": {"table": rows},
}
