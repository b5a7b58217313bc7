"""
Page: docs/amp/norms.md (the head; claim layer-norm-and-group-norm-return-fp32)
Sentences: "Autocast runs LayerNorm and GroupNorm in FP32 and leaves the result in FP32, although the
tensor came in as FP16 or BF16"; "LayerNorm returns FP32 from an FP16 tensor and FP32 from a BF16
tensor".

Attack: the limits of the hardware class, and every way to call the norms. The page says "autocast",
and its scripts fall back to the CPU. (a) `torch.autocast("cpu")`; (b) on the GPU: functional forms,
`torch.native_layer_norm`, inference mode, no_grad, weights in BF16, no weights, a thread of its own, checkpoint, a CPU
tensor inside a block for "cuda".

Refuted if LayerNorm or GroupNorm returns FP16 or BF16 from an FP16 or BF16 tensor inside an autocast
block of the same device and type.
"""

import threading

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

kept, seen = [], 0


def look(device, dtype, name, function):
    global seen
    x = torch.randn(4, 8, 16).to(device, dtype).requires_grad_()
    try:
        with torch.autocast(device, dtype):
            result = function(x)
    except (RuntimeError, ValueError) as error:
        print({"device": device, "type": str(dtype), "norm": name, "error": str(error)[:80]})
        return
    seen += 1
    print({"device": device, "type": str(dtype), "norm": name, "result": str(result.dtype)})
    if result.dtype is dtype:
        kept.append(f"{name} on {device} ({dtype})")


def in_a_thread(norm, dtype, device):
    def call(x):
        out = []

        def work():
            with torch.autocast(device, dtype):
                out.append(norm(x))

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        return out[0]

    return call


def without_grad(norm, context):
    def call(x):
        with context():
            return norm(x.detach())

    return call


for device in ("cpu", "cuda") if torch.cuda.is_available() else ("cpu",):
    for dtype in (torch.bfloat16, torch.float16):
        layer, group = nn.LayerNorm(16).to(device), nn.GroupNorm(4, 8).to(device)
        low = nn.LayerNorm(16).to(device, dtype)
        WAYS = {
            "LayerNorm": layer, "GroupNorm": group, "LayerNorm with low weights": low,
            "layer_norm without weights": lambda x: F.layer_norm(x, (16,)),
            "native_layer_norm": lambda x: torch.native_layer_norm(x, (16,), None, None, 1e-5)[0],
            "LayerNorm, no_grad": without_grad(layer, torch.no_grad),
            "LayerNorm, inference mode": without_grad(layer, torch.inference_mode),
            "LayerNorm, thread": in_a_thread(layer, dtype, device),
            "LayerNorm, checkpoint": lambda x: checkpoint(layer, x, use_reentrant=False),
        }
        for name, way in WAYS.items():
            look(device, dtype, name, way)
if kept:
    print("REFUTED: the result keeps its 16 bits: " + "; ".join(kept))
else:
    print(f"NOT REFUTED: {seen} calls on CPU and GPU returned FP32")
