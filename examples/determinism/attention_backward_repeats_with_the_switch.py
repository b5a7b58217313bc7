"""
Attention backward repeats with the switch
==========================================

Does attention give the same gradients again? Fused kernels add up the gradient of the queries in
no fixed order. In deterministic mode, two of them take an order, and the third is left out.
"""

# sphinx_gallery_evidence = {"processes": 1, "expected_warnings": ["Attempting to run cuBLAS"]}
import torch
from torch.nn.functional import scaled_dot_product_attention as attention

shape = 4, 16, 2048, 64  # batch, heads, length, width
q, k, v, gradient = torch.randn(4, *shape, device="cuda", dtype=torch.bfloat16)
inputs = [x.clone().requires_grad_() for x in (q, k, v)]


def gradients():
    return torch.autograd.grad(attention(*inputs), inputs, gradient)


def others():
    first = gradients()
    return sum(not all(map(torch.equal, first, gradients())) for _ in range(20))


print("others:", others(), "of 20")
torch.use_deterministic_algorithms(True)
print("with the switch:", others(), "of 20")

# %%
# Each backend, forward and backward, in three modes. With one head, or with few queries, there are
# too few blocks for the GPU, and a kernel may split the keys.

import warnings

from torch.nn.attention import SDPBackend, sdpa_kernel

RUNS = 20
BACKENDS = {
    "math": SDPBackend.MATH,
    "flash": SDPBackend.FLASH_ATTENTION,
    "efficient": SDPBackend.EFFICIENT_ATTENTION,
    "cuDNN": SDPBackend.CUDNN_ATTENTION,
}
SHAPES = {
    "long": ((4, 16, 2048, 64), (4, 16, 2048, 64)),
    "one head": ((1, 1, 8192, 64), (1, 1, 8192, 64)),
    "few queries": ((1, 4, 128, 64), (1, 4, 16384, 64)),
}
MODES = {
    "off": lambda: torch.use_deterministic_algorithms(False),
    "warn_only": lambda: torch.use_deterministic_algorithms(True, warn_only=True),
    "on": lambda: torch.use_deterministic_algorithms(True),
}


def tensors_of(shape):
    torch.manual_seed(0)
    made = [torch.randn(size, device="cuda") for size in (shape[0], shape[1], shape[1])]
    return [x.bfloat16().requires_grad_() for x in made]


def differing(call):
    first = call()
    return sum(not all(map(torch.equal, first, call())) for _ in range(RUNS))


def counts(backend, shape):
    inputs = tensors_of(SHAPES[shape])
    gradient = torch.randn_like(inputs[0])

    def forward():
        return [attention(*inputs)]

    def backward():
        return torch.autograd.grad(forward(), inputs, gradient)

    with sdpa_kernel(BACKENDS[backend]):
        return {"forward": differing(forward), "backward": differing(backward)}


# %%
# How many gradients differed from the first, over all shapes. A mode may raise an error instead.

rows = []
for backend in BACKENDS:
    row = {"backend": backend, "forward": 0, "warned": False}
    for mode, switch in MODES.items():
        switch()
        found = 0
        for shape in SHAPES:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                try:
                    one = counts(backend, shape)
                except RuntimeError as error:
                    found = f"raises {error}".splitlines()[0]
                    break
            row["forward"] += one["forward"]
            found += one["backward"]
            row["warned"] |= any("deterministic" in str(w.message) for w in caught)
        row[mode] = str(found) if mode == "on" else found
    torch.use_deterministic_algorithms(False)
    rows.append(row)
    print(row)

measured = {"tries": RUNS * len(SHAPES), "by_backend": {"table": rows}}
