"""
The lists for the CPU are right
===============================

PyTorch's documentation lists what autocast does on the CPU. Each listed operator, and each other
one that is registered, runs with autocast off and on, on inputs of three types and mixtures.
"""

# sphinx_gallery_quiet = "nothing"
import re
import warnings
from itertools import product

import torch
from torch.utils._pytree import tree_flatten, tree_leaves, tree_unflatten

# %%
# A call for each operator that this version has. Arguments are matrices (m, p, c), vectors (v),
# batches of matrices (b), images (x), filters (w), indices (i) and whole numbers (n, z, o, t).

CALLS = {
    "low": """\
mkldnn_rnn_layer: b, w16, w16, v16, v16, m, m, False, [], 2, 4, 1, True, False, False, False
_convolution.deprecated: x2, w2, v, o, z, o, False, z, 1, False, False, True; conv_tbc: b, b, v
_native_multi_head_attention: b, b, b, 4, 2, w12, v12, m, v; conv2d.padding: x2, w2, v, o, "same"
baddbmm scaled_dot_product_attention: b, b, b; conv2d conv_transpose2d.input: x2, w2, v
conv3d conv_transpose3d.input: x3, w3, v; conv1d.padding: x1, w1, v, [1], "same"; addbmm: m, b, b
conv3d.padding: x3, w3, v, t, "valid"; conv1d conv_transpose1d: x1, w1, v; linear: m, m, v
linalg_vecdot matmul mm: m, m; addmm: m, m, m; prelu: m, v; bmm: b, b""",
    "FP32": """\
linalg_eigvals linalg_inv linalg_inv_ex linalg_qr linalg_svd linalg_svdvals _lu_with_info: m
polar binary_cross_entropy binary_cross_entropy_with_logits cdist hinge_embedding_loss: m, m
fft_irfft2 fft_irfftn fft_rfft fft_rfft2 fft_rfftn geqrf inverse linalg_cond linalg_eig: m
fft_fft fft_fft2 fft_fftn fft_hfft fft_ifft fft_ifft2 fft_ifftn fft_ihfft fft_irfft: m
cholesky_inverse linalg_cholesky linalg_cholesky_ex linalg_eigh linalg_eigvalsh: p; ormqr: m, v, m
huber_loss cholesky_solve kl_div l1_loss linalg_lstsq linalg_solve mse_loss: m, m
grid_sampler grid_sampler_2d _grid_sampler_2d_cpu_fallback: x2, g2, 0, 0, False; prod.dim_int: m, 0
avg_pool3d max_pool3d adaptive_avg_pool3d adaptive_max_pool3d: x3, t; triplet_margin_loss: m, m, m
stft.center: v16, 4, 4, 4, None, True, "reflect", False, True, True; cosine_embedding_loss: m, m, v
pinverse prod qr svd trace linalg_matrix_rank.atol_rtol_float: m; nll_loss2d: x2, x2[:, 0].long()
linalg_matrix_rank nanquantile.scalar quantile.scalar: m, 0.5; grid_sampler_3d: x3, g3, 0, 0, False
linalg_matrix_rank.tol_tensor nanquantile quantile: m, h; reflection_pad1d replication_pad1d: x1, o
max_unpool3d: x3, x3.long(), [6] * 3, [1] * 3, [0] * 3; stft: v16, 4, 4, 4, None, False, True, True
cross_entropy_loss multi_margin_loss nll_loss: m, i; multilabel_margin_loss_forward: m, m.long(), 1
fake_quantize_per_tensor_affine: m, 0.1, 0, 0, 255; reflection_pad2d replication_pad2d: x2, o + o
poisson_nll_loss: m, m, True, False, 1e-8, 1; ctc_loss.IntList: b, n, [2] * 4, [1] * 4
soft_margin_loss triangular_solve: m, m; linalg_matrix_rank.atol_rtol_tensor: m; view_as_complex: c
linalg_householder_product orgqr: m, v; multilabel_margin_loss: m, m.long(); linalg_tensorinv: e
max_unpool2d: x2, x2.long(), [6, 6]; fractional_max_pool2d: x2, o, o, r2; linalg_tensorsolve: e, f
fractional_max_pool3d: x3, t, t, r3; ctc_loss.Tensor: b, n, n + 1, n; margin_ranking_loss: v, v, v
replication_pad3d: x3, o * 3; prod.dim_Dimname: named, "a"; linalg_cond.p_str: m, "nuc"
lu_solve: m, m, n""",
    "widest": 'cat stack: [m, m]; index_copy: m, 0, i, m; index_copy.dimname: named, "a", i, named',
    "no list": "_addmm_activation: v, m, m; smooth_l1_loss: m, m; cholesky linalg_matrix_sqrth: p",
}
SHAPES = """m 4 4;v 4;v12 12;v16 16;b 2 4 4;c 4 2;e 2 2 2 2;f 2 2;g2 2 3 3 2;g3 2 2 2 2 3;r2 2 4 2
r3 2 4 3;w1 4 4 3;w2 4 4 3 3;w3 4 4 3 3 3;w12 12 4;w16 16 4;x1 2 4 6;x2 2 4 6 6;x3 2 4 6 6 6"""
inputs = {"z": [0, 0], "o": [1, 1], "t": [2, 2, 2], "h": torch.tensor(0.5)}
inputs |= {"p": torch.eye(4), "i": torch.arange(4), "n": torch.ones(4).int()}
for name, *shape in map(str.split, re.split("[;\n]", SHAPES)):
    inputs[name] = torch.rand(*map(int, shape))

# %%
# What counts is the type of a call's first result: FP32, the low type that autocast was entered
# with, or the other one. An operator is called itself, not by a public function.

TYPES = FP32, FP16, BF16 = torch.float32, torch.float16, torch.bfloat16
WAYS = "FP32", "low", "mixed", "other"


def outcome(call, leaves, tree, types, low):
    kinds = iter(types)
    given = [x.to(next(kinds)) if getattr(x, "dtype", 0) is FP32 else x for x in leaves]
    try:
        with torch.autocast("cpu", low, enabled=low is not None):
            return tree_leaves(call(*tree_unflatten(given, tree)))[0].dtype
    except Exception:
        return None


# %%
# What an operator does is told by those inputs on which autocast changes the result's type.


def row_of(kind, name, arguments):
    base, _, overload = name.partition(".")
    call = getattr(getattr(torch.ops.aten, base), overload or "default")
    (leaves, tree), pairs = tree_flatten(arguments), {way: set() for way in WAYS}
    floats = sum(getattr(x, "dtype", None) is FP32 for x in leaves)
    for types, low in product(product(TYPES, repeat=floats), (FP16, BF16)):
        words = {None: "raises", FP16: "other", BF16: "other", FP32: "FP32", low: "low"}
        ways = {words[one] for one in types}
        way = "other" if "other" in ways else "mixed" if len(ways) == 2 else ways.pop()
        states = [outcome(call, leaves, tree, types, state) for state in (None, low)]
        pairs[way].add(tuple(words.get(found, str(found)[6:]) for found in states))
    told = {way: {on for off, on in pairs[way] if off != on} for way in WAYS}
    does = "low" if told["FP32"] else "FP32" if told["low"] else "widest"
    does = does if any(told.values()) else "unchanged"
    does = "raises" if "raises" in told["FP32"] | told["low"] else does
    shown = {way: " or ".join(sorted({on for _, on in pairs[way]})) for way in WAYS}
    return {"operator": name, "list": kind, "does": does} | shown


rows, NAMED = [], "dimname" in torch.ops.aten.index_copy.overloads()
with warnings.catch_warnings(action="ignore"):
    inputs["named"] = NAMED and inputs["m"].rename("a", "b")
    for kind, text in CALLS.items():
        parts = [p for p in re.split("[;\n]", text) if NAMED or "named" not in p]
        for names, arguments in (part.split(":", 1) for part in parts):
            values = eval(f"({arguments},)", inputs)
            has = [n for n in names.split() if hasattr(torch.ops.aten, n.split(".")[0])]
            rows += [row_of(kind, name, values) for name in has]
registered = torch._C._dispatch_get_registrations_for_dispatch_key("AutocastCPU")
untried = {name[6:] for name in registered} - {row["operator"] for row in rows}
measured = {
    "registered": len(registered),
    "untried": len(untried),
    "listed": sum(row["list"] != "no list" for row in rows),
    "as_listed": sum(row["list"] == row["does"] for row in rows),
    "by_operator": {"table": rows},
}
