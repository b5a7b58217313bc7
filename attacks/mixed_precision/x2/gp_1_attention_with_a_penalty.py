"""
Page: docs/amp/gradient_penalty.md (claim fused-attention-has-no-second-derivative)
Sentence: "Wrong: a model with `scaled_dot_product_attention` gets a penalty. Without one, it trains;
with one, it gives [an error that a second derivative is not implemented]", in FP16 and in FP32.

Attack: other models with `scaled_dot_product_attention` that the sentence covers: (a) the penalty is
on the parameters behind the attention only; (b) FP64, where no fused kernel exists; (c) a mask that
requires a gradient (a learnt bias); (d) `nn.MultiheadAttention` with and without need_weights;
(e) attention weights dropped with dropout; (f) head width of 12 or 6; (g) a penalty on the input.
The control is the page's own model, which must raise.

Refuted if one of them gets its penalty without an error and the penalty changes the gradients of the
layer before the attention.
"""

import torch
from torch.nn.functional import mse_loss, scaled_dot_product_attention

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def trial(name, heads=4, dtype=torch.float32, low=True, penalised="all", bias=False, dropout=0.0):
    torch.manual_seed(0)
    width = 48
    layer, last = torch.nn.Linear(width, 3 * width), torch.nn.Linear(width, width)
    layer, last = layer.to(device, dtype), last.to(device, dtype)
    x, y = torch.randn(2, 8, 32, width, device=device, dtype=dtype)
    mask = torch.zeros(32, 32, device=device, dtype=dtype, requires_grad=True) if bias else None
    parameters = [*layer.parameters(), *last.parameters()]
    x.requires_grad_(penalised == "input")

    def model(x):
        parts = layer(x).unflatten(-1, (3, heads, width // heads)).movedim(-3, 0).transpose(-2, -3)
        return last(scaled_dot_product_attention(*parts, attn_mask=mask, dropout_p=dropout).transpose(-2, -3).flatten(-2))

    return run(name, model, layer, parameters, last, x, y, low, penalised)


def run(name, model, layer, parameters, last, x, y, low, penalised):
    result = {}
    for penalise in (False, True):
        for p in parameters:
            p.grad = None
        scaler = torch.amp.GradScaler(device.type, init_scale=1024.0, enabled=low)
        torch.manual_seed(1)
        with torch.autocast(device.type, torch.float16, enabled=low):
            total = mse_loss(model(x), y)
        if penalise:
            chosen = {"all": parameters, "last": [*last.parameters()], "input": [x]}[penalised]
            grads = torch.autograd.grad(scaler.scale(total), chosen, create_graph=True)
            grads = [grad / scaler.get_scale() for grad in grads]
            total = total + sum(grad.pow(2).sum() for grad in grads).sqrt()
        try:
            scaler.scale(total).backward()
        except RuntimeError as error:
            print(f"{name}: {str(error)[:90]}")
            return None
        result[penalise] = next(layer.parameters()).grad.clone()
    share = ((result[True] - result[False]).norm() / result[False].norm()).item()
    print(f"{name}: works, the penalty changes the gradients before the attention by {share:.1%}")
    return share


class Multihead(torch.nn.Module):
    def __init__(self, need_weights):
        super().__init__()
        self.attention, self.need_weights = torch.nn.MultiheadAttention(48, 4, batch_first=True), need_weights

    def forward(self, x):
        return self.attention(x, x, x, need_weights=self.need_weights)[0]


def multihead(name, need_weights):
    torch.manual_seed(0)
    model = Multihead(need_weights).to(device)
    x, y = torch.randn(2, 8, 32, 48, device=device)
    return run(name, model, model, [*model.parameters()], model.attention.out_proj, x, y, True, "all")


control = trial("page: FP16, all parameters")
found = {
    "penalty on the last layer, FP16": trial("penalty on the last layer, FP16", penalised="last"),
    "penalty on the last layer, FP32": trial("penalty on the last layer, FP32", penalised="last", low=False),
    "penalty on the input, FP16": trial("penalty on the input, FP16", penalised="input"),
    "FP64": trial("FP64", dtype=torch.float64, low=False),
    "learnt mask, FP16": trial("learnt mask, FP16", bias=True),
    "dropout, FP16": trial("dropout, FP16", dropout=0.1),
    "head width 6, FP16": trial("head width 6, FP16", heads=8),
    "head width 6, FP32": trial("head width 6, FP32", heads=8, low=False),
    "MultiheadAttention with weights": multihead("MultiheadAttention with weights", True),
    "MultiheadAttention without weights": multihead("MultiheadAttention without weights", False),
}
# nn.MultiheadAttention with need_weights does not call scaled_dot_product_attention: reported only.
works = {name: share for name, share in found.items() if share and "with weights" not in name}
if control is not None:
    print("control: the page's own model got its penalty without an error")
    works["the page's own model"] = control
if works:
    print("REFUTED: a model with scaled_dot_product_attention gets its penalty: " + "; ".join(f"{n} ({s:.0%})" for n, s in works.items()))
else:
    print("NOT REFUTED: penalties on all, the last layer or the input, FP64, masks, dropout, head widths all raised")
