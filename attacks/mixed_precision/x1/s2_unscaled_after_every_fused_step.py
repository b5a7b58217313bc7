"""
Page: skipped_steps.md.
Sentence: "Fused or not, the gradients are unscaled after a step that was taken".
Attack: what the page did not measure: fused AdamW, Adagrad, amsgrad, maximize (is the negated gradient
written back?), weight decay, nesterov, a tensor as learning rate, BF16 and FP64 weights, two groups of
which one has lr 0, an explicit unscale_ before, 100,003 elements (the tail of a chunk), misaligned
parameters, and gradients right after a skipped step.
Refuted if after a step that was taken a gradient is not the unscaled one (8 values are told apart).
"""
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
O = torch.optim
KINDS = {
    "SGD": (O.SGD, {"lr": 0.1}),
    "SGD momentum nesterov": (O.SGD, {"lr": 0.1, "momentum": 0.9, "nesterov": True, "weight_decay": 0.1}),
    "SGD maximize": (O.SGD, {"lr": 0.1, "maximize": True}),
    "SGD momentum maximize": (O.SGD, {"lr": 0.1, "momentum": 0.9, "maximize": True}),
    "SGD weight decay": (O.SGD, {"lr": 0.1, "weight_decay": 0.5}),
    "SGD tensor lr": (O.SGD, {"lr": torch.tensor(0.1, device=device)}),
    "Adam": (O.Adam, {}),
    "Adam weight decay": (O.Adam, {"weight_decay": 0.5}),
    "Adam amsgrad": (O.Adam, {"amsgrad": True}),
    "Adam maximize": (O.Adam, {"maximize": True}),
    "Adam tensor lr": (O.Adam, {"lr": torch.tensor(1e-3, device=device)}),
    "AdamW": (O.AdamW, {}),
    "AdamW maximize": (O.AdamW, {"maximize": True}),
    "Adagrad": (O.Adagrad, {}),
    "Adagrad weight decay": (O.Adagrad, {"weight_decay": 0.5}),
    "Adagrad maximize": (O.Adagrad, {"maximize": True}),
}
SHAPES = {"8": lambda t: (8, 0), "100003": lambda t: (100_003, 0), "misaligned": lambda t: (4097, 1)}


def trial(make, settings, fused, shape, dtype, unscale):
    size, offset = SHAPES[shape](None)
    base = torch.ones(size + offset, device=device, dtype=dtype)
    weight = torch.nn.Parameter(base[offset:])
    wanted = (torch.arange(size, device=device) % 8 + 1).to(dtype)
    optimizer = make([weight], fused=fused, **settings)
    scaler = torch.amp.GradScaler(device, init_scale=1024.0)
    wrong = 0
    for bad in (False, True, False, False):
        optimizer.zero_grad()
        old = weight.detach().clone()
        scaler.scale((weight * wanted * (torch.inf if bad else 1.0)).sum()).backward()
        if unscale:
            scaler.unscale_(optimizer)
        scaler.step(optimizer)
        scaler.update()
        if not torch.equal(old, weight):
            wrong += not torch.equal(weight.grad, wanted)
    return wrong, weight.grad[:3].tolist()


failed, tried = [], 0
for name, (make, settings) in KINDS.items():
    for fused in (True, False):
        for shape in SHAPES:
            for dtype in (torch.float32, torch.bfloat16, torch.float64):
                for unscale in (False, True):
                    if shape != "8" and (dtype != torch.float32 or unscale):
                        continue
                    try:
                        wrong, seen = trial(make, settings, fused, shape, dtype, unscale)
                    except (RuntimeError, NotImplementedError, TypeError, ValueError) as error:
                        print(name, fused, shape, dtype, unscale, "not available:", str(error).splitlines()[0][:80])
                        continue
                    tried += 1
                    if wrong:
                        failed.append(f"{name} fused={fused} {shape} {dtype} unscale_={unscale}: {seen}")
print(*failed, sep="\n")
if tried < 20:
    raise SystemExit("hardly anything could be tried")
if failed:
    print(f"REFUTED: {len(failed)} of {tried} cases left other gradients, the first: {failed[0]}")
else:
    print(f"NOT REFUTED: {tried} cases of {len(KINDS)} optimizers, all gradients unscaled after steps that were taken")
