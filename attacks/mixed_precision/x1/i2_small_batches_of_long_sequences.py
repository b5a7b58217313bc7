"""
Page: inference.md.
Sentence: "With small batches, autocast is slower than FP32" (title of the plot) and "Wrong: an autocast block for
each call" (for small batches; alternative text: "With an autocast block for each call, small batches are slower than in FP32").
Attack: small batches that are not a few rows: one sequence of 1,024 tokens, or 16 of 128, through wide
linear layers of the page's width (8192) and of 4096, 2048 and 1024 (whose weights stay in the L2 cache), and a block of a
transformer with attention; convolutions of one and 16 images; full FP32, and TF32 beside it. Arms take turns.
Refuted if with a batch of 1 or 16 a block for each call is at least 1.2 times as fast as full FP32.
"""
import time

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
big = device == "cuda"
torch.backends.cudnn.allow_tf32 = False
CUT = 1 if big else 32


def wide(width, layers=4):
    return lambda: nn.Sequential(*(nn.Linear(width // CUT, width // CUT) for _ in range(layers)))


def block():
    return nn.TransformerEncoderLayer(1024 // CUT, 8, 4096 // CUT, batch_first=True).eval()


def conv():
    return nn.Sequential(*(nn.Conv2d(256 // CUT, 256 // CUT, 3, padding=1) for _ in range(4)))


CASES = {
    "batch 1, 8192 wide, 1 token": (wide(8192), (1, 1, 8192)),
    "batch 1, 8192 wide, 1024 tokens": (wide(8192), (1, 1024, 8192)),
    "batch 16, 4096 wide, 128 tokens": (wide(4096), (16, 128, 4096)),
    "batch 16, 2048 wide, 1 token": (wide(2048), (16, 1, 2048)),
    "batch 1, 2048 wide, 512 tokens": (wide(2048), (1, 512, 2048)),
    "batch 16, 1024 wide, 1 token": (wide(1024), (16, 1, 1024)),
    "batch 16, transformer, 512 tokens": (block, (16, 512, 1024)),
    "batch 1, convolutions, 112 px": (conv, (1, 256, 112, 112)),
    "batch 16, convolutions, 56 px": (conv, (16, 256, 56, 56)),
}


def sync():
    if big:
        torch.cuda.synchronize()


def seconds(model, x, cast, n=3):
    sync()
    begin = time.perf_counter()
    for _ in range(n):
        if cast:
            with torch.autocast(device, torch.bfloat16):
                model(x)
        else:
            model(x)
    sync()
    return (time.perf_counter() - begin) / n


faster = []
with torch.no_grad():
    for name, (make, shape) in CASES.items():
        torch.manual_seed(0)
        with torch.device(device):
            model = make().to(device)
        shape = [s // CUT if s >= 256 else s for s in shape]
        x = torch.randn(shape, device=device)
        ratios = {}
        for tf32 in (False, True):
            torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = tf32
            [seconds(model, x, cast, 2) for cast in (True, False)]
            rounds = []
            for turn in range(5):
                took = {cast: seconds(model, x, cast) for cast in ((True, False) if turn % 2 else (False, True))}
                rounds.append(took[False] / took[True])
            ratios[tf32] = sorted(rounds)[2]
        print(f"{name}: a block for each call is {ratios[False]:.2f} times as fast as full FP32, {ratios[True]:.2f} as TF32")
        if ratios[False] >= 1.2:
            faster.append(f"{name}: {ratios[False]:.1f}")
        del model, x
if faster:
    print(f"REFUTED: small batches, a block for each call, faster than full FP32: {faster}")
else:
    print(f"NOT REFUTED: {len(CASES)} cases of batch 1 and 16")
