"""
Old and new settings mix silently
=================================

What happens if a program uses both generations of settings? Setting never raises. Reading an
old setting may, and what an old setting leaves behind decides whether a wider new one counts.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.backends import cuda, cudnn

cuda.matmul.allow_tf32 = False  # in a library, perhaps: it is false by default
torch.backends.fp32_precision = "tf32"  # in the program: without effect on matmuls
print(f"matmul {cuda.matmul.fp32_precision!r}")

cuda.matmul.fp32_precision = "none"  # matmuls inherit again
print(f"matmul {cuda.matmul.fp32_precision!r}")
torch.backends.fp32_precision = "none"

# %%
# Pair each old setting with each new one, in both orders.

from functools import partial
from itertools import product

FLAGS = "cuda.matmul.allow_tf32", "cudnn.allow_tf32"
OLD = [f"{flag} = {word}" for flag in FLAGS for word in (False, True)]
OLD += [f"precision('{word}')" for word in ("highest", "high", "medium")]
PLACES = ("backends", "cudnn", "cuda.matmul", "cudnn.conv", "cudnn.rnn")
NEW = [f"{at}.fp32_precision = '{to}'" for at in PLACES for to in ("ieee", "tf32")]
NEWER_ALONE = "cudnn.conv.fp32_precision = 'ieee'", "cudnn.fp32_precision = 'tf32'"
PAIRS = [pair for old, new in product(OLD, NEW) for pair in ((old, new), (new, old))]
NAMES = {"backends": torch.backends, "cuda": cuda, "cudnn": cudnn}
NAMES["precision"] = torch.set_float32_matmul_precision

# %%
# Each pair runs in a process of its own, which starts with the defaults. Then the setting that was
# written last is read, those of the three kinds of operator, and the three older getters.

import json
import os
import warnings

NEWER = {
    "matmul": lambda: cuda.matmul.fp32_precision,
    "conv": lambda: cudnn.conv.fp32_precision,
    "rnn": lambda: cudnn.rnn.fp32_precision,
}
OLDER = {
    "matmul_flag": lambda: cuda.matmul.allow_tf32,
    "cudnn_flag": lambda: cudnn.allow_tf32,
    "precision": torch.get_float32_matmul_precision,
}


def answer(call):
    try:
        return str(call())
    except RuntimeError:
        return "raises"


def set_and_read(*statements):
    said = [answer(partial(exec, one, NAMES)) for one in statements]
    place, _, word = statements[-1].strip(")").replace("(", " = ").partition(" = ")
    getter = OLDER.get(place, partial(eval, place, NAMES))
    as_written = answer(getter) == word.strip("'")
    read = {name: answer(getter) for name, getter in (NEWER | OLDER).items()}
    return read | {"setting_raised": "raises" in said, "as_written": as_written}


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
    found = [in_a_fork(set_and_read, *pair) for pair in PAIRS]
    newer = in_a_fork(set_and_read, *NEWER_ALONE)
rows = [{"settings": "; ".join(pair), **each} for pair, each in zip(PAIRS, found)]

# %%
# Does what is read run? The first cell again, on the GPU: TF32 cannot hold this number.

number, one = torch.full((512, 512), 1 + 2**-12).cuda(), torch.eye(512).cuda()
runs_in_tf32 = []
for statement in (OLD[0], "cuda.matmul.fp32_precision = 'none'"):
    exec(f"{statement}; backends.fp32_precision = 'tf32'", NAMES)
    runs_in_tf32.append(not torch.equal(number @ one, number))
torch.backends.fp32_precision = "none"

# %%
# Two orders of a pair stand next to each other. If they read differently, the last one won.
# An older getter that does not raise may still say "high" where matmuls run in full FP32.

operators = [tuple(row[name] for name in NEWER) for row in rows]
differ = [one != other for one, other in zip(operators[::2], operators[1::2])]
wrong = [r["precision"] in ("high", "medium") and r["matmul"] != "tf32" for r in rows]
rows.sort(key=lambda row: "raises" not in row.values())  # errors first
measured = {
    "by_settings": {"table": rows},
    "in_order": len(rows),
    "pairs": len(differ),
    "order_matters": sum(differ),
    "setting_raised": sum(row.pop("setting_raised") for row in rows),
    "as_written": sum(row.pop("as_written") for row in rows),
    "in_tf32_after_false": runs_in_tf32[0],
    "in_tf32_after_none": runs_in_tf32[1],
    "some_getter_raises": sum("raises" in row.values() for row in rows),
    "precision_is_wrong": sum(wrong),
    "conv_with_newer_alone": newer["conv"],
}
print({name: n for name, n in measured.items() if name != "by_settings"})
