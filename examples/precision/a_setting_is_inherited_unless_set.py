"""
A setting is inherited unless set
=================================

Which precision does an FP32 operator get? Its own setting, if it was given one; otherwise
cuDNN's, which is that of all CUDA operators; otherwise the generic one. Where nothing was set,
convolutions and recurrent layers may run in TF32, and matmuls do not.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch import backends
from torch.backends import cuda, cudnn

backends.fp32_precision = "ieee"  # for every operator that has no setting of its own
print(f"matmul {cuda.matmul.fp32_precision!r}, conv {cudnn.conv.fp32_precision!r}")

cudnn.fp32_precision = "tf32"  # closer to the operators, and not for cuDNN alone
print(f"matmul {cuda.matmul.fp32_precision!r}, conv {cudnn.conv.fp32_precision!r}")

backends.fp32_precision = cudnn.fp32_precision = "none"  # as it was

# %%
# All combinations: of the generic setting, cuDNN's, and the operators' own ones, which may
# be as they were, or "none", which removes them.

from itertools import product

OPERATORS = {"matmul": cuda.matmul, "conv": cudnn.conv, "rnn": cudnn.rnn}
WORDS = ("none", "ieee", "tf32")
COMBINATIONS = list(product(WORDS, WORDS, ("default", *WORDS)))


def read():
    return {name: each.fp32_precision for name, each in OPERATORS.items()}


# %%
# The older getters answer or raise.

OLDER = {
    "matmul_flag": lambda: cuda.matmul.allow_tf32,
    "cudnn_flag": lambda: cudnn.allow_tf32,
    "precision": torch.get_float32_matmul_precision,
}


def answer(getter):
    try:
        return str(getter())
    except RuntimeError:
        return "raises"


# %%
# Each combination is set and read in a process of its own, which starts with the defaults:
# some of them cannot be set again.

import json
import os
import warnings


def set_and_read(generic, wide, own):
    backends.fp32_precision, cudnn.fp32_precision = generic, wide
    for operator in OPERATORS.values() if own != "default" else ():
        operator.fp32_precision = own
    return read() | {name: answer(getter) for name, getter in OLDER.items()}


def in_a_fork(function, *arguments):
    reader, writer = os.pipe()
    if not (child := os.fork()):
        os.write(writer, json.dumps(function(*arguments)).encode())
        os._exit(0)
    os.waitpid(child, 0)
    answers = json.loads(os.read(reader, 4096))
    os.close(reader), os.close(writer)
    return answers


with warnings.catch_warnings(action="ignore"):  # these processes use no thread
    found = [in_a_fork(set_and_read, *one) for one in COMBINATIONS]

# %%
# The rule says the same: the first of three settings that is not "none", and the default
# where none is. (In PyTorch 2.11, the default stood before the two wider settings.)


def by_rule(default, generic, wide, own):
    order = (wide, generic, default) if own == "default" else (own, wide, generic)
    return next((word for word in order if word != "none"), "none")


defaults = read()
rows, as_by_rule = [], 0
for combination, answers in zip(COMBINATIONS, found):
    for name, default in defaults.items():
        as_by_rule += answers[name] == by_rule(default, *combination)
    words = (f"{at} {word}" for at, word in zip(("backends", "cudnn"), combination))
    own = {"default": "own as by default", "none": "own removed"}
    last = own.get(combination[2], f"own {combination[2]}")
    rows.append({"settings": ", ".join((*words, last)), **answers})
rows.sort(key=lambda row: row["matmul"] == row["conv"])  # differences first
print(f"{as_by_rule} of {3 * len(rows)} settings are as by the rule")

# %%
# In how many combinations does an older getter raise?

measured = {
    "by_settings": {"table": rows},
    "combinations": len(rows),
    "reads": 3 * len(rows),
    "reads_by_rule": as_by_rule,
    **{f"{name}_raises": sum(r[name] == "raises" for r in rows) for name in OLDER},
}
print({name: measured[f"{name}_raises"] for name in OLDER})
