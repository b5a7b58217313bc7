"""
Deterministic mode costs some calls dear
========================================

How much slower is deterministic mode? A call that keeps its algorithm takes as long as before; one
that must sort or avoid atomics may take many times as long. New memory is filled besides.
"""

import torch
from torch import nn
from torch.nn import functional

# %%
# The calls that change, and two that do not. Many values for each of few places is the worst case
# for atomic additions, and few values for each of many places is the best.

N = 2**20
values = torch.randn(N, device="cuda")
few = torch.randint(64, (N,), device="cuda")
many = torch.randint(N, (N,), device="cuda")
rows_of = torch.randn(N // 64, 64, device="cuda")
index = torch.randint(1000, (N // 64,), device="cuda")
matrix = torch.randn(2048, 2048, device="cuda")


def leaf(*shape, dtype=torch.float32):
    return torch.randn(*shape, device="cuda", dtype=dtype, requires_grad=True)


image, kernel = leaf(8, 64, 64, 64), leaf(64, 64, 3, 3)
query = leaf(4, 16, 2048, 64, dtype=torch.bfloat16)
flash = torch.nn.attention.sdpa_kernel
FLASH = torch.nn.attention.SDPBackend.FLASH_ATTENTION


def slope(y, x):
    return torch.autograd.grad(y.sum(), x)


def attention():
    with flash(FLASH):
        y = functional.scaled_dot_product_attention(query, query, query)
    return slope(y, query)


CALLS = {
    "matmul": lambda: matrix @ matrix,
    "sum": lambda: values.sum(),
    "index_add, few": lambda: torch.zeros(64, device="cuda").index_add_(0, few, values),
    "index_add, many": lambda: torch.zeros(N, device="cuda").index_add_(
        0, many, values
    ),
    "index_add, rows": lambda: torch.zeros(1000, 64, device="cuda").index_add_(
        0, index, rows_of
    ),
    "scatter_add, few": lambda: torch.zeros(64, device="cuda").scatter_add_(
        0, few, values
    ),
    "cumsum": lambda: values.cumsum(0),
    "bilinear": lambda: slope(
        functional.interpolate(image, scale_factor=2, mode="bilinear"), image
    ),
    "conv2d": lambda: slope(functional.conv2d(image, kernel), kernel),
    "attention": attention,
}
layer = nn.TransformerEncoderLayer(512, 8, 2048, batch_first=True, device="cuda")
optimizer = torch.optim.AdamW(layer.parameters(), fused=True)
batch = torch.randn(16, 512, 512, device="cuda")


def step():
    optimizer.zero_grad()
    layer(batch).square().mean().backward()
    optimizer.step()


# %%
# Events measure the GPU's time for some calls in a row; the arms take turns.

ROUNDS, REPEATS = 5, 4
begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))


def seconds(call, mode, fill=False):
    torch.use_deterministic_algorithms(mode)
    torch.utils.deterministic.fill_uninitialized_memory = fill
    call()
    torch.cuda._sleep(2_000_000)  # so that the host is ahead
    begin.record()
    for _ in range(REPEATS):
        call()
    end.record()
    end.synchronize()
    torch.use_deterministic_algorithms(False)
    return begin.elapsed_time(end) / 1000


table = []
for name, call in CALLS.items():
    seconds(call, True)
    seconds(call, False)
    ratios = [seconds(call, True) / seconds(call, False) for _ in range(ROUNDS)]
    table.append({"call": name, "slowdown": {"samples": ratios}})
    print(name, sorted(ratios)[ROUNDS // 2])

# %%
# A whole training step, without and with filled memory.

STATES = (False, False), (True, False), (True, True)
for fill in False, True:
    seconds(step, True, fill)
pairs = [[seconds(step, m, f) for m, f in STATES] for _ in range(ROUNDS)]
measured = {
    "step_slowdown": {"samples": [on / off for off, on, _ in pairs]},
    "filled_step_slowdown": {"samples": [filled / off for off, _, filled in pairs]},
    "by_call": {"table": table},
}
