"""
Page: traps.md.
Sentence: "Inputs in FP16 gain nothing where the first layer is linear: the results are the same as from
FP32 inputs, to the last bit." (and "leave the model and its inputs in FP32")
Attack: time and memory of a step under FP16 autocast with inputs that are wide or many and a first
linear layer that is small: FP32 inputs are read and a copy is written in each forward pass, FP16 inputs
are not (and the copy to the GPU has half of the bytes). Arms take turns, in both orders; forward alone
and with backward; also a model of usual size, where the gain may vanish.
Refuted if FP16 inputs are at least 1.3 times as fast, forward and backward, with equal bits, or lower
the peak beyond the inputs by a third.
"""
import time

import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
big = device == "cuda"
CASES = {
    "wide input, few classes": (8192 if big else 64, 65536 if big else 256, 16),
    "embedding-like": (4096 if big else 64, 65536 if big else 256, 256),
    "usual": (1024 if big else 64, 4096 if big else 256, 1024),
}


def sync():
    if big:
        torch.cuda.synchronize()


def run(layer, x, backward):
    with torch.autocast(device, torch.float16), torch.set_grad_enabled(backward):
        y = layer(x)
        if backward:
            loss = y.float().square().mean()
    if backward:
        loss.backward()
        layer.zero_grad()
    return y


def seconds(layer, x, backward, n=5):
    sync()
    begin = time.perf_counter()
    for _ in range(n):
        run(layer, x, backward)
    sync()
    return (time.perf_counter() - begin) / n


def peak(layer, x):
    if not big:
        return 0.0
    sync()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    run(layer, x, True)
    sync()
    return (torch.cuda.max_memory_allocated() - before) / 2**20


gains, wins = {}, []
for name, (width, rows, classes) in CASES.items():
    torch.manual_seed(0)
    layer = torch.nn.Linear(width, classes).to(device)
    x = torch.randn(rows, width, device=device)
    h = x.half()
    same = torch.equal(run(layer, x, False), run(layer, h, False))
    for backward in (False, True):
        [seconds(layer, t, backward, 2) for t in (x, h)]
        ratios = []
        for turn in range(4):
            pair = (x, h) if turn % 2 else (h, x)
            took = {t.dtype: seconds(layer, t, backward) for t in pair}
            ratios.append(took[torch.float32] / took[torch.float16])
        ratio = sorted(ratios)[1]
        gains[name, backward] = ratio
        print(f"{name}, backward {backward}: FP16 inputs {ratio:.2f} times as fast, same bits {same}")
    memory = peak(layer, x), peak(layer, h)
    print(f"{name}: peak of a step beyond its inputs: {memory[0]:.0f} MiB from FP32, {memory[1]:.0f} MiB from FP16")
    if same and (gains[name, True] >= 1.3 or (memory[0] > 0 and memory[1] <= memory[0] * 2 / 3)):
        wins.append(f"{name}: {gains[name, False]:.2f} x forward, {gains[name, True]:.2f} x with backward, peak {memory[0]:.0f} -> {memory[1]:.0f} MiB")
    del x, h, layer
if wins:
    print(f"REFUTED: behind a first linear layer FP16 inputs gained: {wins}")
else:
    print(f"NOT REFUTED: gains { {k: round(v, 2) for k, v in gains.items()} }")
