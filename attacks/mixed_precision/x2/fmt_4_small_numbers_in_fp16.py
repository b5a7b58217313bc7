"""
Page: docs/amp/formats.md (head and table)
Sentences: "FP16 is more precise, but its range is small"; table: "more precise results from 16 bits |
FP16 autocast with a scaler".

Attack: numbers that are inside FP16's range but small: below 2**-14 FP16 has fewer and fewer bits.
A linear layer's result under FP16 and BF16 autocast with inputs of size 1 to 1e-7 (none is zero in
FP16 at first), its error against FP64 relative to its size; then a whole small network with
a first layer of small weights (1e-5, as for a scaled initialisation), and the gradients of its weights with a scaler.

Refuted if for inputs or activations that are not zero in FP16 the result under FP16 autocast is further off
FP64 than under BF16 autocast.
"""

import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
layer = torch.nn.Linear(256, 256, bias=False).to(device)
base = torch.randn(512, 256, device=device)
worse = []
with torch.no_grad():
    for size in (1.0, 1e-3, 1e-4, 1e-5, 3e-6, 1e-6, 1e-7):
        x = base * size
        truth = x.double() @ layer.weight.double().T
        row = {"size": size, "zero_inputs_in_fp16": (x.half() == 0).float().mean().item()}
        for name, dtype in (("fp16", torch.float16), ("bf16", torch.bfloat16)):
            with torch.autocast(device.type, dtype):
                result = layer(x)
            row[name] = ((result.double() - truth).norm() / truth.norm()).item()
        print(row)
        if row["fp16"] > row["bf16"] and row["zero_inputs_in_fp16"] < 0.5:
            worse.append(f"inputs of {size:g}: FP16 off by {row['fp16']:.2%}, BF16 by {row['bf16']:.2%}")

rows = []
for init in (1.0, 1e-4, 1e-5):
    torch.manual_seed(0)
    first, last = torch.nn.Linear(256, 256, bias=False).to(device), torch.nn.Linear(256, 1).to(device)
    with torch.no_grad():
        first.weight.mul_(init)
        last.weight.mul_(1 / init)
    y = base[:, :1].clone()

    def gradient(low, scale, x=base, first=first, last=last, y=y):
        with torch.autocast(device.type, low or torch.float16, enabled=low is not None):
            loss = torch.nn.functional.mse_loss(last(first(x)), y)
        return torch.autograd.grad(loss * scale, first.weight)[0].double() / scale

    import copy

    precise = copy.deepcopy(first).double(), copy.deepcopy(last).double()
    truth = gradient(None, 1.0, base.double(), *precise, y.double())
    row = {"init": init}
    row["fp16"] = ((gradient(torch.float16, 1024.0 * init) - truth).norm() / truth.norm()).item()
    row["bf16"] = ((gradient(torch.bfloat16, 1.0) - truth).norm() / truth.norm()).item()
    print(row)
    if row["fp16"] > row["bf16"]:
        worse.append(f"gradients of a network whose activations are {init:g}: FP16 off by {row['fp16']:.2%}, BF16 by {row['bf16']:.2%}")
if worse:
    print("REFUTED: FP16 is less precise than BF16 for " + "; ".join(worse))
else:
    print("NOT REFUTED: inputs and activations down to 1e-7, FP16 autocast is never further off than BF16")
