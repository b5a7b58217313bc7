"""
The lists of autocast are right
===============================

PyTorch's documentation lists what autocast does on CUDA. Each listed name runs with autocast off
and on, on FP32, FP16 and BF16 inputs and on mixtures of two types, forward and backward.
"""

# sphinx_gallery_quiet = "nothing"
import re
import warnings
from collections import Counter
from itertools import product

import torch
from torch.utils._pytree import tree_flatten, tree_leaves, tree_unflatten

# %%
# A call for each name, list by list. Arguments are matrices (m), vectors (v), batches of matrices
# (b), class indices (i), targets (t), and what convolutions and cells take.

CALLS = {
    "low": """\
addbmm: m, b, b; addmm: m, m, m; addmv: v, m, v; addr: m, v, v; baddbmm: b, b, b; bmm: b, b
__matmul__ matmul mm: m, m; linear: m, m, v; multi_dot: [m, m, m]; mv prelu: m, v
conv1d conv_transpose1d: x1, w1, v; conv2d conv_transpose2d: x2, w2, v; RNNCell: m, m, m, m
conv3d conv_transpose3d: x3, w3, v; GRUCell: m, m, w12, w12; LSTMCell: m, [m, m], w16, w16""",
    "FP32": """\
acos asin cosh erfinv exp expm1 log log10 log1p log2 reciprocal rsqrt sinh softplus tan: m
norm normalize pdist prod sum: m; __pow__ __rdiv__ __rpow__ __rtruediv__: m, 2; pow: m, m
cumprod cumsum log_softmax softmax softmin: m, 0; renorm: m, 2, 0, 1; group_norm: x1, 2, v, v
binary_cross_entropy_with_logits cdist cosine_similarity dist hinge_embedding_loss kl_div: m, m
l1_loss mse_loss poisson_nll_loss smooth_l1_loss: m, m; cross_entropy multi_margin_loss: m, i
nll_loss: m, i; multilabel_margin_loss: m, i.repeat(4, 1); margin_ranking_loss: v, v, v
cosine_embedding_loss: m, m, v; soft_margin_loss: m, t; triplet_margin_loss: m, m, m
layer_norm: m, [4], v, v""",
    "widest": """\
addcdiv addcmul: m, m, m; atan2: m, m; bilinear: m, m, b; cross: d, d; dot: v, v
grid_sample: x2, g; index_put: v, [i], v; scatter_add: v, 0, i, v; tensordot: m, m""",
    "raises": "binary_cross_entropy: m, m",
}
SHAPES = """m 4 4;t 4 4;v 4;b 2 4 4;d 4 3;g 2 3 3 2;w1 4 4 3;w2 4 4 3 3;w3 4 4 3 3 3;w12 12 4
w16 16 4;x1 2 4 6;x2 2 4 6 6;x3 2 4 6 6 6"""
inputs = {"i": torch.arange(4, device="cuda")}
for name, *shape in map(str.split, re.split("[;\n]", SHAPES)):
    inputs[name] = torch.rand(*map(int, shape), device="cuda")
    inputs[name].requires_grad_(name != "t" and torch.is_grad_enabled())

# %%
# What counts is the type of a call's first result: FP32, the low type that autocast was entered
# with, or the other one. A call raises if its backward pass does, which runs in this thread (an
# autograd thread that outlives Python may abort the process).

torch.autograd.set_multithreading_enabled(False)
TYPES = FP32, FP16, BF16 = torch.float32, torch.float16, torch.bfloat16
WAYS = "FP32", "low", "mixed", "other"
CELLS = {"GRUCell": "gru_cell", "LSTMCell": "lstm_cell", "RNNCell": "rnn_tanh_cell"}
PLACES = torch.nn.functional, torch, torch.linalg, torch.Tensor
errors, counts = {True: set(), False: set()}, Counter()


def outcome(call, leaves, tree, types, low):
    kinds, given = iter(types), list(leaves)
    for place, x in enumerate(leaves):
        if getattr(x, "dtype", None) is FP32:
            given[place] = x.detach().to(next(kinds)).requires_grad_(x.requires_grad)
    learn = [x for x in given if getattr(x, "requires_grad", False)]
    try:
        with torch.autocast("cuda", low, enabled=low is not None):
            end = tree_leaves(call(*tree_unflatten(given, tree)))[0]
        if learn:
            torch.autograd.grad(end, learn, torch.ones_like(end), allow_unused=True)
    except Exception as error:
        errors[low is not None].add(str(error).split("\n")[0])
        return None
    return end.dtype


# %%
# What a name does is told by those inputs on which autocast changes the type of its result.


def row_of(kind, name, arguments):
    places = (getattr(place, CELLS.get(name, name), None) for place in PLACES)
    call, pairs = next(filter(None, places)), {way: set() for way in WAYS}
    leaves, tree = tree_flatten(arguments)
    floats = sum(getattr(x, "dtype", None) is FP32 for x in leaves)
    for types, low in product(product(TYPES, repeat=floats), (FP16, BF16)):
        words = {None: "raises", FP16: "other", BF16: "other", FP32: "FP32", low: "low"}
        ways = {words[one] for one in types}
        way = "other" if "other" in ways else "mixed" if len(ways) == 2 else ways.pop()
        states = [outcome(call, leaves, tree, types, state) for state in (None, low)]
        pairs[way].add(tuple(words[found] for found in states))
    told = {way: {on for off, on in pairs[way] if off != on} for way in WAYS}
    does = "low" if told["FP32"] else "FP32" if told["low"] else "widest"
    does = does if any(told.values()) else "unchanged"
    does = "raises" if "raises" in told["FP32"] | told["low"] else does
    counts[kind, "names"] += 1
    counts.update((kind, f"told_by_{way}") for way in WAYS if told[way])
    counts["varied"] += max(len(pairs[way]) for way in ("FP32", "low")) > 1
    shown = {way: " or ".join(sorted({on for _, on in pairs[way]})) for way in WAYS}
    return {"name": name, "list": kind, "does": does} | shown


rows = []
with warnings.catch_warnings(action="ignore"):
    for kind, text in CALLS.items():
        for names, arguments in (part.split(":") for part in re.split("[;\n]", text)):
            values = eval(f"({arguments},)", inputs)
            rows += [row_of(kind, name, values) for name in names.split()]
columns = "names", *(f"told_by_{way}" for way in WAYS)
lists = [{"list": k} | {one: counts[k, one] for one in columns} for k in CALLS]
measured = {
    "names": len(rows),
    "as_listed": sum(row["does"] == row["list"] for row in rows),
    "varied": counts["varied"],
    "messages": " | ".join(sorted(errors[True] - errors[False])),
    "by_list": {"table": lists},
    "by_name": {"table": rows},
}
