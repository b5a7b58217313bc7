"""
Page: traps.md.
Sentence: "Without autocast, converting only one of the two raises an error." (claim half-without-autocast-raises)
Attack: first layers other than linear ones: BatchNorm, LayerNorm, GroupNorm, InstanceNorm, RMSNorm, PReLU,
embeddings (integer inputs: nothing to convert), convolutions, cuDNN's LSTM, attention, a bare parameter
(x * scale), and whole models which begin or consist of them; BF16 as well as FP16; forward and backward.
Refuted if a model (with parameters) raises nothing in forward and backward when only its inputs, or only
it, is converted.
"""
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(32))

    def forward(self, x):
        return x * self.weight


class First(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x)[0]


rows, image, sequence = (16, 32), (4, 8, 16, 16), (4, 10, 32)
MODELS = {
    "Linear": (nn.Linear(32, 8), rows),
    "BatchNorm1d": (nn.BatchNorm1d(32), rows),
    "BatchNorm2d": (nn.BatchNorm2d(8), image),
    "BatchNorm2d, eval": (nn.BatchNorm2d(8).eval(), image),
    "LayerNorm": (nn.LayerNorm(32), rows),
    "GroupNorm": (nn.GroupNorm(2, 8), image),
    "InstanceNorm2d": (nn.InstanceNorm2d(8, affine=True), image),
    "RMSNorm": (nn.RMSNorm(32), rows),
    "PReLU": (nn.PReLU(), rows),
    "Conv2d": (nn.Conv2d(8, 8, 3), image),
    "LSTM": (First(nn.LSTM(32, 32)), sequence),
    "a bare parameter": (Scale(), rows),
    "Scale, then Linear": (nn.Sequential(Scale(), nn.Linear(32, 8)), rows),
    "RMSNorm, then Linear": (nn.Sequential(nn.RMSNorm(32), nn.Linear(32, 8)), rows),
    "BatchNorm1d, then Linear": (nn.Sequential(nn.BatchNorm1d(32), nn.Linear(32, 8)), rows),
    "Embedding, Linear": (nn.Sequential(nn.Embedding(50, 32), nn.Linear(32, 8)), None),
}
passes = []
nn.Linear(32, 8).to(device)(torch.randn(rows, device=device)).sum().backward()  # control: must not raise
for name, (model, shape) in MODELS.items():
    for dtype in (torch.float16, torch.bfloat16):
        for converted in ("inputs", "model"):
            torch.manual_seed(0)
            model = model.to(device).float()
            x = torch.randn(shape, device=device) if shape else torch.randint(50, (16,), device=device)
            if converted == "model":
                model.to(dtype)
            elif shape:
                x = x.to(dtype)
            else:
                continue  # integer inputs cannot be converted
            model.zero_grad()
            try:
                result = model(x)
                result.float().square().mean().backward()
                missing = sum(p.grad is None for p in model.parameters())
                said = f"no error: result {str(result.dtype)[6:]}, {missing} gradients missing"
                if missing == 0:
                    passes.append(f"{name} ({converted}, {str(dtype)[6:]})")
            except (RuntimeError, ValueError, TypeError) as error:
                said = "raises: " + str(error).splitlines()[0][:60]
            print(f"{name}, {converted} in {str(dtype)[6:]}: {said}")
if passes:
    print(f"REFUTED: {len(passes)} cases raised nothing, forward or backward: {passes}")
else:
    print(f"NOT REFUTED: {len(MODELS)} models raised in every case")
