"""
Half models and autocast differ in inference
============================================

Is ``model.half()`` faster than autocast in inference, and how much accuracy does it cost? That
depends on the model, and on the compiler, which fuses some of the casts of autocast.
"""

# sphinx_gallery_evidence = {"processes": 6, "timeout": 240, "expected_warnings": [".*deprecated"]}
import time
import warnings
from copy import deepcopy

import torch
from torch import nn
from torch.nn import functional

# %%
# Models: convolutions with batch norm, blocks of attention, and wide linear layers.


class Block(nn.Module):
    def __init__(self, width=512, heads=8):
        super().__init__()
        self.heads = heads
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        parts = self.qkv(self.first(x)).unflatten(-1, (3, self.heads, -1))
        q, k, v = parts.permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(q, k, v).transpose(1, 2)
        x = x + self.out(mixed.flatten(2))
        return x + self.down(functional.gelu(self.up(self.second(x))))


def convolutions(width):
    return nn.Conv2d(width, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU()


torch.backends.cudnn.conv.fp32_precision = "ieee"
torch.backends.cudnn.rnn.fp32_precision = "ieee"  # else an older getter would raise
torch.manual_seed(0)
wide = nn.Sequential(*(nn.Linear(8192, 8192) for _ in range(3)))
blocks = nn.Sequential(*(Block() for _ in range(3)), nn.LayerNorm(512))
MODELS = {
    "convolutions": (
        nn.Sequential(*(layer for _ in range(4) for layer in convolutions(128))),
        torch.randn(8, 128, 56, 56),
    ),
    "attention": (blocks, torch.randn(8, 512, 512)),
    "attention, one short row": (blocks, torch.randn(1, 16, 512)),
    "wide linear, one row": (wide, torch.randn(1, 8192)),
}

# %%
# Each way gets inputs in FP32, as a program would, and gives its result in FP32. Convolutions run
# with channels last. The error is against FP64, as a share of the result. Two are compiled, too.

CALLS, ROUNDS = 5, 5


def forms_of(model, dtype):
    converted = deepcopy(model).to(dtype)

    def under_autocast(x):
        with torch.autocast("cuda", dtype):
            return model(x).float()

    def in_16_bits(x):
        return converted(x.to(dtype)).float()

    return {"autocast": under_autocast, "model": in_16_bits}


def seconds(way, x):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(CALLS):
        way(x)
    torch.cuda.synchronize()
    return (time.perf_counter() - begin) / CALLS


def examined(name, model, x):
    exact, ways = deepcopy(model).double()(x.double()), {"FP32": model}
    for label, dtype in {"FP16": torch.float16, "BF16": torch.bfloat16}.items():
        for form, way in forms_of(model, dtype).items():
            ways[label, form] = way
            if label == "BF16" and name in ("convolutions", "attention"):
                ways["BF16 compiled", form] = torch.compile(way, dynamic=False)
    rounds = [
        {w: seconds(way, x) for w, way in ways.items()} for _ in range(ROUNDS + 2)
    ]
    errors = {way: (call(x) - exact).norm().item() for way, call in ways.items()}
    for kind in dict.fromkeys(way[0] for way in ways if way != "FP32"):
        row = {"case": f"{name}, {kind}"}
        halves, casts = (kind, "model"), (kind, "autocast")
        for key, slow, fast in (
            ("gain", casts, halves),
            ("model_speedup", "FP32", halves),
            ("autocast_speedup", "FP32", casts),
        ):
            row[key] = {"samples": [each[slow] / each[fast] for each in rounds[2:]]}
        row["error_ratio"] = {"samples": [errors[halves] / errors[casts]]}
        print(row["case"], {key: row[key]["samples"][-1] for key in [*row][1:]})
        yield row


by_case = []
for name, (model, x) in MODELS.items():
    model, x = model.cuda().eval(), x.cuda()
    if x.dim() == 4:
        model, x = (one.to(memory_format=torch.channels_last) for one in (model, x))
    torch.compiler.reset()
    with torch.no_grad(), warnings.catch_warnings(action="ignore"):
        by_case += examined(name, model, x)
measured = {"by_case": {"table": by_case}}
