"""
Autocast casts more than is listed
==================================

Which operators does autocast change on CUDA that PyTorch's documentation does not list? Each
operator registered for autocast runs with autocast off and on, on inputs of three types.
"""

# sphinx_gallery_quiet = "nothing"
import re
import warnings
from collections import Counter
from itertools import product

import torch
from torch.utils._pytree import tree_flatten, tree_leaves, tree_unflatten

# %%
# The operators that are registered for autocast, and the names that the documentation lists. (The
# last seven are the operators behind listed names.)

REGISTERED = torch._C._dispatch_get_registrations_for_dispatch_key("AutocastCUDA")
names = {name.removeprefix("aten::") for name in REGISTERED}
LISTED = """acos addbmm addcdiv addcmul addmm addmv addr asin atan2 baddbmm bilinear bmm
binary_cross_entropy binary_cross_entropy_with_logits cdist conv1d conv2d conv3d conv_transpose1d
conv_transpose2d conv_transpose3d cosh cosine_embedding_loss cosine_similarity cross cumprod cumsum
dist dot erfinv exp expm1 group_norm hinge_embedding_loss index_put kl_div l1_loss layer_norm
linear log log10 log1p log2 log_softmax margin_ranking_loss matmul mm mse_loss multi_margin_loss
multilabel_margin_loss mv nll_loss norm pdist poisson_nll_loss pow prelu prod reciprocal renorm
rsqrt scatter_add sinh smooth_l1_loss soft_margin_loss softmax softplus sum tan tensordot
triplet_margin_loss gru_cell lstm_cell rnn_relu_cell rnn_tanh_cell linalg_multi_dot
linalg_vector_norm grid_sampler"""

# %%
# A call for each operator that no list names, as far as this version has it.

CALLS = """\
_cudnn_rnn: b, [m, m], 2, None, h, None, 1, 4, 0, 1, False, 0, True, False, [], None
_convolution.deprecated: x2, w2, v, o, z, o, False, z, 1, False, False, True; rms_norm: m, [4], v
_scaled_dot_product_flash_attention scaled_dot_product_attention: q, q, q; linalg_matrix_norm: m, 1
_convolution: x2, w2, v, o, z, o, False, z, 1, False, False, True, True; chain_matmul: [m, m, m]
cudnn_convolution_transpose: x2, w2, z, z, o, o, 1, False, False, True; einsum: "ij,jk", [m, m]
_upsample_bicubic2d_aa _upsample_bilinear2d_aa: x2, s, False; native_layer_norm: m, [4], v, v, 1e-5
cudnn_convolution: x2, w2, z, o, o, 1, False, False, True; _thnn_fused_lstm_cell: c16, c16, m
_upsample_nearest_exact1d upsample_nearest1d: x1, [9]; convolution: x2, w2, v, o, z, o, False, z, 1
_upsample_nearest_exact2d upsample_nearest2d: x2, s; frobenius_norm.dim nuclear_norm.dim: m, [0, 1]
_upsample_nearest_exact3d upsample_nearest3d: x3, t; upsample_trilinear3d: x3, t, False; vdot: v, v
_thnn_fused_gru_cell: c12, c12, m; upsample_linear1d: x1, [9], False; linalg_matrix_norm.str_ord: m
upsample_bilinear2d: x2, s, False; upsample_bicubic2d: x2, s, False; huber_loss linalg_vecdot: m, m
conv_tbc: b, b, v; nll_loss2d: x2, k; logsumexp: m, 0; nuclear_norm linalg_matrix_sqrth: m"""
SHAPES = """m 4 4;v 4;b 2 4 4;h 1 4 4;q 2 2 8 8;c12 4 12;c16 4 16;w2 4 4 3 3;x1 2 4 6;x2 2 4 6 6
x3 2 4 6 6 6"""
k = torch.zeros(2, 6, 6, dtype=torch.int64, device="cuda")
inputs = {"k": k, "z": [0, 0], "o": [1, 1], "s": [9, 9], "t": [9] * 3}
for name, *shape in map(str.split, re.split("[;\n]", SHAPES)):
    inputs[name] = torch.rand(*map(int, shape), device="cuda")
    inputs[name].requires_grad_(torch.is_grad_enabled())

# %%
# What counts is the type of a call's first result: FP32, autocast's low type, or the other one. A
# call raises if its backward pass does, which runs in this thread (another may outlive Python).

torch.autograd.set_multithreading_enabled(False)
TYPES = FP32, FP16, BF16 = torch.float32, torch.float16, torch.bfloat16
WAYS = "FP32", "low", "mixed", "other"


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
    except Exception:
        return None
    return end.dtype


# %%
# What an operator does is told by those inputs on which autocast changes the type of its result.


def row_of(name, arguments):
    base, _, overload = name.partition(".")
    call = getattr(getattr(torch.ops.aten, base), overload or "default")
    (leaves, tree), pairs = tree_flatten(arguments), {way: set() for way in WAYS}
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
    shown = {way: " or ".join(sorted({on for _, on in pairs[way]})) for way in WAYS}
    return {"operator": name, "registered": name in names, "does": does} | shown


rows = []
with warnings.catch_warnings(action="ignore"):
    for those, arguments in (part.split(":") for part in re.split("[;\n]", CALLS)):
        known = [n for n in those.split() if hasattr(torch.ops.aten, n.split(".")[0])]
        rows += [row_of(n, eval(f"({arguments},)", inputs)) for n in known]
unlisted = names - {n for n in names if n.partition(".")[0] in LISTED.split()}
does = {r["operator"].partition(".")[0]: r["does"] for r in rows if r["registered"]}
counts = Counter(does.values())
measured = {
    "registered": len(REGISTERED),
    "unlisted": len({name.partition(".")[0] for name in unlisted}),
    **{f"unlisted_{kind}": counts[kind] for kind in ("low", "FP32", "widest")},
    "untried": len(unlisted - {row["operator"] for row in rows}),
    "by_operator": {"table": sorted(rows, key=lambda row: row["operator"])},
}
