"""
Page: inference.md.
Sentence: "The reason is the sum that runs through the blocks" (converted model less accurate than autocast; "A
converted model whose blocks are added up in FP32 has about the error of autocast"), behind the lead
"Convert the model once, with `.bfloat16()` or `.half()`".
Attack: other models: inputs of the block with a large mean (an uncast norm takes FP32, a converted one
rounds first), a softmax at the end and a mean over many values (FP32 under autocast), rotary positions
in a buffer (`.bfloat16()` converts the buffer: positions beyond 256 are rounded), a narrow and a wide
model, post-norm blocks. In each: error of autocast, of the converted model, and of the converted model
added up in FP32, against FP64.
Refuted if in a model the converted one is at least 2 times worse than autocast and adding up in FP32
leaves at least 2 times the error of autocast.
"""
from copy import deepcopy

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
BF16 = torch.bfloat16
big = device == "cuda"


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.first, self.second = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, x):
        return self.second(nn.functional.gelu(self.first(self.norm(x))))


class Rotary(nn.Module):
    """A norm, attention with rotary positions from buffers, and an output layer."""

    def __init__(self, width, length=1024 if big else 512, heads=4):
        super().__init__()
        self.norm, self.heads = nn.LayerNorm(width), heads
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        half = width // heads // 2
        self.register_buffer("positions", torch.arange(length).float())
        self.register_buffer("frequencies", 10000.0 ** (-torch.arange(half).float() / half))

    def turn(self, x):
        angle = self.positions[:, None] * self.frequencies
        one, other = x.chunk(2, -1)
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        return torch.cat([one * cos - other * sin, one * sin + other * cos], -1)

    def forward(self, x):
        q, k, v = self.qkv(self.norm(x)).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        weights = (self.turn(q * 4) @ self.turn(k).transpose(-1, -2) / q.shape[-1] ** 0.5).softmax(-1)
        return self.out((weights.to(v.dtype) @ v).transpose(1, 2).flatten(2)) * 4


def run(blocks, x, end=None):
    for block in blocks:
        x = x + block(x)
    return end(x) if end else x


def mean(x):
    return x.mean(0)


length = 1024 if big else 512
torch.manual_seed(0)
MODELS = {
    "the page's, 16 blocks of 256": ([Block(256) for _ in range(16)], torch.randn(512, 256), None),
    "64 wide": ([Block(64) for _ in range(16)], torch.randn(512, 64), None),
    "1024 wide": ([Block(1024 if big else 128) for _ in range(8)], torch.randn(512, 1024 if big else 128), None),
    "inputs with a mean of 100": ([Block(256) for _ in range(4)], torch.randn(512, 256) + 100, None),
    "softmax behind": ([Block(256) for _ in range(4)], torch.randn(512, 256), lambda x: (4 * x).softmax(-1)),
    "mean over rows behind": ([Block(256) for _ in range(4)], torch.randn(4096, 256), mean),
    "rotary positions in a buffer": ([Rotary(64) for _ in range(2)], torch.randn(2, length, 64), None),
}


def added_in_fp32(blocks, x, end):
    for block in blocks:
        x = x + block(x.to(BF16))
    return end(x) if end else x


refuting = []
with torch.no_grad():
    for name, (blocks, x, end) in MODELS.items():
        model = nn.ModuleList(blocks).to(device)
        x = x.to(device)
        truth = run(deepcopy(model).double(), x.double(), end)
        with torch.autocast(device, BF16):
            by_autocast = run(model, x, end)
        converted = deepcopy(model).to(BF16)
        results = {
            "autocast": by_autocast,
            "converted": run(converted, x.to(BF16), end),
            "added in FP32": added_in_fp32(converted, x, end),
        }
        errors = {k: ((r.double() - truth).norm() / truth.norm()).item() for k, r in results.items()}
        ratios = {k: errors[k] / errors["autocast"] for k in errors}
        print(f"{name}: errors { {k: f'{e:.2g}' for k, e in errors.items()} }, converted {ratios['converted']:.2f}, added in FP32 {ratios['added in FP32']:.2f} times autocast's")
        if ratios["converted"] >= 2 and ratios["added in FP32"] >= 2:
            refuting.append(f"{name}: {ratios['converted']:.1f} and {ratios['added in FP32']:.1f}")
if refuting:
    print(f"REFUTED: converted, and converted but added up in FP32, as times the error of autocast: {refuting}")
else:
    print(f"NOT REFUTED: in {len(MODELS)} models adding up in FP32 came near autocast, or the converted one was near anyway")
