"""
Recurrent layers need a scaler in a BF16 block
==============================================

Does BF16 need a gradient scaler? Where cuDNN runs a recurrent layer, yes: in a BF16 block, the
layer runs in FP16, and its small gradients vanish. A scaler keeps them.
"""

# sphinx_gallery_evidence = {"timeout": 240, "expected_warnings": [".*deprecated"]}
import torch
from torch import nn

# The loss is a mean over four million outputs.
STEPS, BATCH, INPUTS, WIDTH = 64, 256, 64, 256
torch.manual_seed(0)
layer = nn.LSTM(INPUTS, WIDTH, device="cuda")
x = torch.randn(STEPS, BATCH, INPUTS, device="cuda")

with torch.autocast("cuda", dtype=torch.bfloat16):
    output, _ = layer(x)
    loss = nn.functional.mse_loss(output, 0.9 * output.detach())
output.retain_grad()
loss.backward()
zero_share = (output.grad == 0).float().mean().item()
print(f"{output.dtype}: {zero_share:.0%} of its gradient are zero")

# %%
# Each kind of layer learns to do what another one does, from weights that are near. A linear layer
# is the control, and so is a recurrent one without cuDNN.

KINDS = {"LSTM": nn.LSTM, "GRU": nn.GRU, "RNN": nn.RNN, "Linear": nn.Linear}
SCALE = 65536.0  # a scaler's first scale


def outputs_of(layer, given):
    result = layer(given)
    return result[0] if isinstance(result, tuple) else result


def prepare(kind):
    torch.manual_seed(0)
    teacher, student = (KINDS[kind](INPUTS, WIDTH, device="cuda") for _ in range(2))
    student.load_state_dict(teacher.state_dict())
    with torch.no_grad():
        for parameter in student.parameters():
            parameter.add_(torch.randn_like(parameter), alpha=0.02)
        wanted = outputs_of(teacher.double(), x.double()).float()
    return student, wanted


def gradients(kind, dtype=torch.bfloat16, scale=1.0, cudnn=True, compiled=False):
    layer, wanted = prepare(kind)
    low = dtype in (torch.bfloat16, torch.float16)
    own = torch.float32 if low else dtype
    run = torch.compile(layer, backend="aot_eager") if compiled else layer.to(own)
    torch.backends.cudnn.enabled = cudnn
    with torch.autocast("cuda", dtype if low else None, enabled=low):
        output = outputs_of(run, x.to(own))
        loss = nn.functional.mse_loss(output, wanted.to(own))
    (loss * scale).backward()
    torch.backends.cudnn.enabled = True
    grads = [parameter.grad.flatten() for parameter in layer.parameters()]
    return torch.cat(grads).double() / scale, str(output.dtype).removeprefix("torch.")


# %%
# How far are the gradients of the weights from those in FP64? To two digits: cuDNN may add up in
# another order each time.

WAYS = {
    "plain": {},
    "scaled": {"scale": SCALE},
    "fp16": {"dtype": torch.float16},
    "without_cudnn": {"cudnn": False},
    "compiled": {"compiled": True},
    "fp32": {"dtype": torch.float32},
}
rows = []
for kind in KINDS:
    truth, _ = gradients(kind, torch.float64)
    row = {"kind": kind, "dtype": gradients(kind)[1]}
    for way, options in WAYS.items():
        found, _ = gradients(kind, **options)
        error = ((found - truth).norm() / truth.norm()).item()
        row[f"{way}_error_share"] = float(f"{error:.2g}")
    rows.append(row)
    print(row)

# %%
# A short training of the LSTM, in FP32 and in a BF16 block, with a scaler and without.

UPDATES = 120


def train(low, scaled):
    layer, wanted = prepare("LSTM")
    optimizer = torch.optim.SGD(layer.parameters(), lr=100.0, momentum=0.9)
    scaler = torch.amp.GradScaler("cuda", enabled=scaled)
    for _ in range(UPDATES):
        optimizer.zero_grad()
        with torch.autocast("cuda", torch.bfloat16, enabled=low):
            loss = nn.functional.mse_loss(layer(x)[0], wanted)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
    return loss.item()


fp32, plain, scaled = train(False, False), train(True, False), train(True, True)
measured = {
    "by_kind": {"table": rows},
    "plain_loss_ratio": float(f"{plain / fp32:.2g}"),
    "scaled_loss_ratio": float(f"{scaled / fp32:.2g}"),
}
print({name: value for name, value in measured.items() if "ratio" in name})
