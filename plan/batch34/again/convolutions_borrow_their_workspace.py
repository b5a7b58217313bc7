"""
Convolutions borrow their workspace
===================================

Does cuDNN keep a workspace, as cuBLAS does? No: a convolution takes one for the time of the call.
It raises the peak, and when ``torch.backends.cudnn.benchmark`` tries algorithms, it raises the peak
once for each new shape. A shape that ran before without ``benchmark`` is not tried again.
"""

# sphinx_gallery_evidence = {"processes": 3}
import torch

MIB = 2**20
layer = torch.nn.Conv2d(64, 64, 3, padding=1, device="cuda")
x = torch.randn(16, 64, 128, 128, device="cuda")
with torch.no_grad():
    y = layer(x)  # loads kernels
    del y
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    y = layer(x)
result = torch.cuda.memory_allocated() - before
peak = torch.cuda.max_memory_allocated() - before
print(f"result {result / MIB:.0f} MiB, peak {peak / MIB:.0f} MiB")

# %%
# What a forward and a backward pass need at their peak, and what stays.

del y
torch.backends.cudnn.deterministic = False


def pass_through(conv, batch):
    conv(batch).backward(torch.ones_like(batch))


def costs(batch, benchmark):
    torch.backends.cudnn.benchmark = benchmark
    conv = torch.nn.Conv2d(64, 64, 3, padding=1, device="cuda")
    conv.weight.grad = torch.zeros_like(conv.weight)
    conv.bias.grad = torch.zeros_like(conv.bias)
    found = []
    for _ in range(2):
        torch.cuda.synchronize()
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
        start = torch.cuda.memory_allocated()
        pass_through(conv, batch)
        torch.cuda.synchronize()
        peak = torch.cuda.max_memory_allocated() - start
        found.append((peak, torch.cuda.memory_allocated() - start))
    return found


costs(x, False)  # what libraries keep for themselves is there from now on
plain = costs(x, False)
print("plain", plain)

# %%
# With ``benchmark``, two steps of images of four heights, of which every other one has run before
# without it.

rows = []
for height, ran_before in ((128, True), (96, False), (80, True), (112, False)):
    batch = x[:, :, :height].contiguous()
    if ran_before:
        costs(batch, False)
    (first, _), (second, stays) = costs(batch, True)
    row = {"height": height, "ran_before": ran_before, "stays_bytes": stays}
    rows.append(row | {"first_over_second": {"samples": [first / second]}})
    print(row, first, second)

# %%
# The sizes depend on the GPU and on cuDNN.

measured = {
    "by_height": {"table": rows},
    "result_bytes": result,
    "peak_bytes": {"samples": [peak]},
    "plain_stays_bytes": plain[1][1],
}
