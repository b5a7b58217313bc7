"""
Deterministic mode costs some calls dear
========================================

How much slower is deterministic mode? A call that keeps its algorithm takes as long as before; one
that must sort or avoid atomics may take many times as long. New memory is filled besides.
"""

# sphinx_gallery_evidence = {"expected_warnings": ["Attempting to run cuBLAS"]}
import time

import torch
from torch import nn
from torch.nn import functional

# %%
# Calls that change, and some that do not. Many values for each of few places is the worst case
# for atomic additions, and few values for each of many places is the best.

N = 2**20
values, rows = torch.randn(N, device="cuda"), torch.randn(2**14, 64, device="cuda")
few, many = (torch.randint(n, (N,), device="cuda") for n in (64, N))
index = torch.randint(1000, (2**14,), device="cuda")
order = torch.randperm(N, device="cuda")
matrix = torch.randn(2048, 2048, device="cuda")
bins, places = torch.zeros(64, device="cuda"), torch.zeros(N, device="cuda")
table = torch.zeros(1000, 64, device="cuda")


def leaf(*shape, dtype=torch.float32):
    return torch.randn(*shape, device="cuda", dtype=dtype, requires_grad=True)


def slope(y, x):
    return torch.autograd.grad(y.sum(), x)


def attention(backend):
    with nn.attention.sdpa_kernel(getattr(nn.attention.SDPBackend, backend)):
        return slope(
            functional.scaled_dot_product_attention(query, query, query), query
        )


query = leaf(4, 16, 2048, 64, dtype=torch.bfloat16)
image, kernel, weights = leaf(8, 64, 64, 64), leaf(64, 64, 3, 3), leaf(1000, 64)
CALLS = """\
matmul: matrix @ matrix
sum: values.sum()
sort: values.sort()
index_add, few: bins.index_add_(0, few, values)
index_add, many: places.index_add_(0, many, values)
index_add, rows: table.index_add_(0, index, rows)
index_copy: places.index_copy_(0, order, values)
scatter_add, few: bins.scatter_add_(0, few, values)
scatter_add, many: places.scatter_add_(0, many, values)
cumsum: values.cumsum(0)
embedding: slope(functional.embedding(index, weights), weights)
gather: slope(weights.gather(0, index[:, None].expand(-1, 64)), weights)
bilinear: slope(functional.interpolate(image, scale_factor=2, mode="bilinear"), image)
replicate: slope(functional.pad(image, (4, 4, 4, 4), mode="replicate"), image)
conv2d: slope(functional.conv2d(image, kernel), kernel)
flash attention: attention("FLASH_ATTENTION")
efficient attention: attention("EFFICIENT_ATTENTION")"""
layer = nn.TransformerEncoderLayer(512, 8, 2048, batch_first=True, device="cuda")
optimizer = torch.optim.AdamW(layer.parameters(), fused=True)
batch = torch.randn(16, 512, 512, device="cuda")


def step():
    optimizer.zero_grad()
    layer(batch).square().mean().backward()
    optimizer.step()


# %%
# Events measure the GPU's time for some calls in a row, once its clock is up. The arms take turns.

ROUNDS, REPEATS = 5, 4
begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))


def seconds(call, mode, fill=False):
    torch.use_deterministic_algorithms(mode)
    torch.utils.deterministic.fill_uninitialized_memory = fill
    call()
    torch.cuda._sleep(8_000_000)  # some milliseconds, so that the host is ahead
    begin.record()
    for _ in range(REPEATS):
        call()
    end.record()
    end.synchronize()
    torch.use_deterministic_algorithms(False)
    return begin.elapsed_time(end) / 1000


warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    seconds(step, False)
calls = []
for name, text in (line.split(": ", 1) for line in CALLS.splitlines()):
    call = eval(f"lambda: {text}")
    seconds(call, True)
    seconds(call, False)
    ratios = [seconds(call, True) / seconds(call, False) for _ in range(ROUNDS)]
    calls.append({"call": name, "slowdown": {"samples": ratios}})
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
    "by_call": {"table": calls},
}
