"""
Page: first_nan.md.
Sentence: "They also told the cause: an overflow of the layer itself ..., its weights ..., and its input" with the
advice "An overflow of the layer itself asks for BF16, or for FP32 in that layer; a NaN among the weights asks for an earlier step."
Attack: causes outside the three that were planted: BatchNorm in eval mode with a NaN or infinite running
statistic (a buffer, not a parameter), an input passed by keyword (a hook sees positional inputs alone), a
log or a division by zero in a module (it is no overflow, BF16 and FP32 do not help), attention-like masks (softmax of minus infinity throughout), an inf in the input and a NaN in the
weights, an in-place module whose input is its output, a layer whose FP32 weights are beyond FP16.
Refuted if a cause is told that is not the one planted: "its own" although a buffer or the input held the
infinity or NaN, or "input" for a layer that made it.
"""
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)


def watch(model):
    names = {module: name for name, module in model.named_modules()}

    def look(module, inputs, output):
        if not output.isfinite().all():
            weights = all(p.isfinite().all() for p in module.parameters())
            taken = all(x.isfinite().all() for x in inputs)
            cause = "its own" if weights and taken else "weights" if taken else "input"
            raise FloatingPointError(f"{names[module]}: {cause}")

    layers = (module for module in names if not [*module.children()])
    return [layer.register_forward_hook(look) for layer in layers]


class Keyword(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(64, 64)

    def forward(self, x):
        return self.linear(input=x / 0.0)


class LogInPlace(nn.Module):
    """Writes its result over its input, as activations with inplace=True do."""

    def forward(self, x):
        return x.log_()


class Softmax(nn.Module):
    def forward(self, x):
        return x.masked_fill(x < torch.inf, -torch.inf).softmax(-1)


class Log(nn.Module):
    def forward(self, x):
        return x.relu().log()


def norm(value):
    model = nn.Sequential(nn.Linear(64, 64), nn.BatchNorm1d(64)).eval()
    model[1].running_mean[0] = value
    return model


def wide():
    model = nn.Sequential(nn.Linear(64, 64))
    model[0].weight.data[0, 0] = 1e6  # finite in FP32, infinite once cast
    return model


CASES = {
    "NaN in a running mean": (lambda: norm(torch.nan), "1: a buffer"),
    "infinity in a running mean": (lambda: norm(torch.inf), "1: a buffer"),
    "infinite input by keyword": (Keyword, "linear: input"),
    "in-place logarithm of zero": (lambda: nn.Sequential(nn.Linear(64, 64), nn.ReLU(), LogInPlace()), "2: its own"),
    "logarithm of zero": (lambda: nn.Sequential(nn.Linear(64, 64), Log()), "1: its own, but no overflow"),
    "masked softmax": (lambda: nn.Sequential(nn.Linear(64, 64), Softmax()), "1: its own, but no overflow"),
    "a weight beyond FP16": (wide, "0: weights"),
}
rows = {}
for name, (make, right) in CASES.items():
    torch.manual_seed(0)
    model = make().to(device)
    watch(model)
    x = torch.randn(32, 64, device=device)
    said = {}
    for label, dtype in (("FP16", torch.float16), ("BF16", torch.bfloat16)):
        try:
            with torch.no_grad(), torch.autocast(device, dtype):
                model(x)
            said[label] = "nothing"
        except FloatingPointError as error:
            said[label] = str(error)
    rows[name] = said
    print(f"{name}: planted '{right}', told {said}")
wrong = {}
for name in ("NaN in a running mean", "infinity in a running mean", "infinite input by keyword"):
    if rows[name]["FP16"].endswith("its own"):
        wrong[name] = rows[name]["FP16"]
if rows["in-place logarithm of zero"]["FP16"].endswith("input"):
    wrong["in-place logarithm of zero"] = rows["in-place logarithm of zero"]["FP16"]
no_help = [n for n in ("logarithm of zero", "masked softmax") if rows[n]["FP16"].endswith("its own") and rows[n]["BF16"].endswith("its own")]
print("told as an overflow of the layer itself, but not finite in BF16 either:", no_help)
if wrong:
    print(f"REFUTED: causes that are not those planted: {wrong}; 'its own', for which BF16 does not help: {no_help}")
else:
    print("NOT REFUTED: seven other causes were told rightly")
