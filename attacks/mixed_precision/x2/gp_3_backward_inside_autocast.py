"""
Page: docs/amp/gradient_penalty.md (claim autocast-changes-no-fp32-penalty)
Sentence: "Gradients of parameters in FP32 are FP32, so autocast matters little. ... with
`autograd.grad` inside, they are the same, bit for bit."

Attack: a model whose last layers run in FP32 inside the autocast block (`enabled=False` around the
head, as is usual for a head or a loss), or that has FP32-listed functions (softplus, norm, softmax,
pow) between its layers. Run inside autocast, backward's matrix products of the FP32 head are cast to
FP16. Scaled loss, division by the scale, penalty: as on the page; only the place of
`autograd.grad` differs.

Refuted if with `autograd.grad` inside autocast the gradients of loss and penalty are not the same
bits as outside, in a model whose parameters are all FP32; the error against FP64 is printed.
"""

import copy

import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
x = torch.randn(512, 64).to(device)
y = torch.sin(3 * x[:, :1])


class Head(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = torch.nn.Linear(128, 128), torch.nn.Linear(128, 1)

    def forward(self, h):
        with torch.autocast(h.device.type, enabled=False):
            h = h if h.dtype is torch.float64 else h.float()
            return self.second(self.first(h).tanh())


class Power(torch.nn.Module):
    def forward(self, h):
        return h - h.pow(3) / 6


def page():
    return torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.Tanh(), torch.nn.Linear(128, 128), torch.nn.Tanh(), torch.nn.Linear(128, 1))


MODELS = {
    "as on the page": page,
    "head in FP32": lambda: torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.Tanh(), Head()),
    "softplus": lambda: torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.Softplus(), torch.nn.Linear(128, 1)),
    "LayerNorm": lambda: torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.LayerNorm(128), torch.nn.Tanh(), torch.nn.Linear(128, 1)),
    "softmax": lambda: torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.Softmax(-1), torch.nn.Linear(128, 1)),
    "power": lambda: torch.nn.Sequential(torch.nn.Linear(64, 128), Power(), torch.nn.Linear(128, 1)),
}


def gradients(model, inside, low=True, weight=1e-2):
    parameters = [*model.parameters()]
    scale = torch.tensor(2.0**10 if low else 1.0, device=device)
    with torch.autocast(device.type, torch.float16, enabled=low):
        loss = weight * torch.nn.functional.mse_loss(model(x.to(parameters[0].dtype)), y.to(parameters[0].dtype))
    with torch.autocast(device.type, torch.float16, enabled=low and inside):
        grads = torch.autograd.grad(scale * loss, parameters, create_graph=True)
    assert all(grad.dtype is p.dtype for grad, p in zip(grads, parameters))
    grads = [grad / scale for grad in grads]
    with torch.autocast(device.type, torch.float16, enabled=low):
        total = loss + sum(grad.pow(2).sum() for grad in grads).sqrt()
    got = torch.autograd.grad(scale * total, parameters)
    return torch.cat([grad.double().flatten() for grad in got]) / scale.double()


different = []
for name, make in MODELS.items():
    torch.manual_seed(1)
    model = make().to(device)
    reference = gradients(copy.deepcopy(model).double(), False, low=False)
    outside, again, inside = gradients(model, False), gradients(model, False), gradients(model, True)
    errors = [((g - reference).norm() / reference.norm()).item() for g in (outside, inside)]
    same, steady = outside.equal(inside), outside.equal(again)
    print({"model": name, "same_bits": same, "outside_repeats": steady, "error_outside": errors[0], "error_inside": errors[1]})
    if not same and steady and outside.isfinite().all():
        different.append(f"{name} (error {errors[0]:.3%} outside, {errors[1]:.3%} inside)")
if different:
    print("REFUTED: with autograd.grad inside autocast the bits differ: " + "; ".join(different))
else:
    print("NOT REFUTED: six models, also with an FP32 head, have the same bits")
