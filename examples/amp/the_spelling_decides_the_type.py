"""
The spelling decides the type
=============================

Autocast knows operators, not mathematics: which type do spellings of the same computation give?
"""

# sphinx_gallery_quiet = "nothing"
import torch

x, v = torch.rand(8, 8, device="cuda"), torch.rand(8, device="cuda")  # FP32
h, w = x.half(), v.half()

with torch.autocast("cuda", dtype=torch.float16):
    print("cast to FP16:        ", (x @ x).dtype)
    print("cast to FP32:        ", h.sum().dtype)
    print("cast to the widest:  ", torch.dot(v, w).dtype)
    print("left as it is:       ", h.mean().dtype, x.mean().dtype)
    try:
        torch.nn.functional.binary_cross_entropy(x, x)
    except RuntimeError as error:
        print("banned:              ", str(error).split("\n")[0])

# %%
# Each call gets an FP32 matrix and vector, and then an FP16 matrix and vector.

CODE = {
    "matmul": "x @ x",
    "einsum": "torch.einsum('ij,jk', x, x)",
    "tensordot": "torch.tensordot(x, x, 1)",
    "row-matmul": "v @ v",
    "row-vecdot": "torch.linalg.vecdot(v, v)",
    "row-dot": "torch.dot(v, v)",
    "row-inner": "torch.inner(v, v)",
    "row-sum": "(v * v).sum()",
    "times": "x * x",
    "power": "x**2",
    "square": "x.square()",
    "mean": "x.mean()",
    "sum": "x.sum() / x.numel()",
    "sqrt": "1 / x.sqrt()",
    "rsqrt": "x.rsqrt()",
    "divided": "torch.ones_like(x) / x",
    "reciprocal": "1 / x",
    "tanh": "(2 * x).sigmoid() * 2 - 1",
    "tanh-by-exp": "1 - 2 / (1 + (2 * x).exp())",
    "layer-norm": "torch.nn.functional.layer_norm(x, (8,))",
    "rms-norm": "torch.nn.functional.rms_norm(x, (8,))",
    "attention": "torch.nn.functional.scaled_dot_product_attention(x, x, x)",
}


def types_of(code):
    with torch.autocast("cuda", dtype=torch.float16):
        pairs = ({"torch": torch, "x": x, "v": v}, {"torch": torch, "x": h, "v": w})
        found = (eval(code, names).dtype for names in pairs)
        return [str(kind).removeprefix("torch.") for kind in found]


rows = [(call, code, *types_of(code)) for call, code in CODE.items()]

# %%
# Errors: of operators that promote to the widest type and get the other low type, and of one whose
# backward pass, outside autocast, does not expect the type of its result.


def error_of(call):
    try:
        call()
    except RuntimeError as error:
        return RuntimeError(str(error).split("\n")[0])
    return "none"


def learn_through_pinv(*, enabled):
    weight = torch.rand(8, 8, device="cuda", requires_grad=True)
    with torch.autocast("cuda", dtype=torch.float16, enabled=enabled):
        inverse = torch.linalg.pinv(weight)
    inverse.sum().backward()


b = v.bfloat16()
calls = {
    "dot": lambda: torch.dot(b, b),
    "dot_with_FP32": lambda: torch.dot(b, v),
    "dot_after_FP32": lambda: torch.dot(v, b),
    "dot_in_FP16": lambda: torch.dot(w, w),
    "matmul": lambda: b @ v,
}


# %%
# Recurrent layers, in a BF16 region: cuDNN runs the whole layer, but not a cell.


def type_in_bf16(layer):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        return str(layer(8, 8, device="cuda")(x)[0].dtype).removeprefix("torch.")


keys = "call", "code", "from_float32", "from_float16"
fp16 = torch.autocast("cuda", dtype=torch.float16)
measured = {
    "by_call": {"table": [dict(zip(keys, row)) for row in rows]},
    **{name: error_of(fp16(call)) for name, call in calls.items()},
    "pinv": error_of(lambda: learn_through_pinv(enabled=True)),
    "pinv_outside": error_of(lambda: learn_through_pinv(enabled=False)),
    "lstm": type_in_bf16(torch.nn.LSTM),
    "lstm_cell": type_in_bf16(torch.nn.LSTMCell),
}
