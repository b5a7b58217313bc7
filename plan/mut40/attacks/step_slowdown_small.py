"""Attack: 'a training step of a transformer layer takes 1.07 x as long in deterministic mode, 1.12 x with memory filled' for small batches, BF16."""
# ALONE
import os, statistics, time, torch
import warnings; warnings.simplefilter("ignore")
from torch import nn
DEVICE = os.environ.get("DEVICE", "cuda"); CUDA = DEVICE == "cuda"
def wait():
    if CUDA: torch.cuda.synchronize()
layer = nn.TransformerEncoderLayer(512, 8, 2048, batch_first=True, device=DEVICE)
optimizer = torch.optim.AdamW(layer.parameters(), fused=True)
def step(batch, low):
    optimizer.zero_grad()
    with torch.autocast(DEVICE, torch.bfloat16, enabled=low):
        layer(batch).square().mean().backward()
    optimizer.step()
def seconds(batch, low, mode, fill, repeats=8):
    torch.use_deterministic_algorithms(mode, warn_only=False)
    torch.utils.deterministic.fill_uninitialized_memory = fill
    step(batch, low); wait()
    begin = time.perf_counter()
    for _ in range(repeats): step(batch, low)
    wait()
    took = time.perf_counter() - begin
    torch.use_deterministic_algorithms(False)
    return took
seen = {}
for size in [(1, 16), (2, 64), (8, 128), (16, 512)] if CUDA else [(1, 16)]:
    for low in (False, True):
        batch = torch.randn(*size, 512, device=DEVICE)
        for m, f in ((False, False), (True, False), (True, True)):
            for _ in range(1): seconds(batch, low, m, f)
        rounds = [[seconds(batch, low, m, f) for m, f in ((False, False), (True, False), (True, True))] for _ in range(5 if CUDA else 1)]
        on, filled = (statistics.median(r[i] / r[0] for r in rounds) for i in (1, 2))
        seen[f"{size} {'BF16' if low else 'FP32'}"] = (round(on, 2), round(filled, 2))
print({"on,filled": seen})  # wall time of the host and the GPU together; the page measures the GPU behind a held stream
far = {k: v for k, v in seen.items() if v[0] > 1.25 or v[1] > 1.45}
print(f"REFUTED as a general price: {far}" if far else "HOLDS within 1.25 x and 1.45 x for every size")
