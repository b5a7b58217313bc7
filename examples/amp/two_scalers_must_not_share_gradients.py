"""
Two scalers must not share gradients
====================================

One scaler or two? One scaler serves any number of losses and optimizers. Two scalers work only
where no gradient comes from both: as soon as their scales differ, shared gradients are wrong.
"""

# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
SIZES = {"trunk": (32, 64), "head0": (64, 1), "head1": (64, 1)}

# %%
# Wrong: each loss has a scaler, although both losses reach the trunk.


def a_scaler_each(scalers, optimizers, loss0, loss1):
    scalers[0].scale(loss0).backward(retain_graph=True)
    scalers[1].scale(loss1).backward()
    scalers[0].unscale_(optimizers["trunk"])
    scalers[0].unscale_(optimizers["head0"])
    scalers[1].unscale_(optimizers["head1"])


# %%
# Right: one scaler for both.


def one_scaler(scalers, optimizers, loss0, loss1):
    scalers[0].scale(loss0).backward(retain_graph=True)
    scalers[0].scale(loss1).backward()
    for optimizer in optimizers.values():
        scalers[0].unscale_(optimizer)


# %%
# The second head may work on a detached copy, so that its loss does not reach the trunk. A batch
# is wrong when some gradient differs from its reference in FP64.

TRIES, WRONG = 20, 0.01  # of the norm of a gradient


def prepare(kind, seed, detached):
    torch.manual_seed(seed)
    parts = {name: torch.nn.Linear(*size) for name, size in SIZES.items()}
    parts = torch.nn.ModuleDict(parts).to(device, kind)
    x = torch.randn(64, 32).to(device, kind)
    with torch.autocast(device.type, torch.float16, enabled=kind == torch.float32):
        hidden = parts["trunk"](x).tanh()
        second = hidden.detach() if detached else hidden
        outputs = parts["head0"](hidden), parts["head1"](second)
        return parts, [output.square().mean() for output in outputs]


def wrong_parts(way, scales, seed, detached):
    exact, losses = prepare(torch.float64, seed, detached)
    sum(losses).backward()
    parts, losses = prepare(torch.float32, seed, detached)
    scalers = [torch.amp.GradScaler(device.type, scale) for scale in scales]
    optimizers = {name: torch.optim.SGD(parts[name].parameters()) for name in SIZES}
    way(scalers, optimizers, *losses)
    wrong = {}
    for name in SIZES:
        reference = exact[name].weight.grad
        difference = parts[name].weight.grad.double() - reference
        wrong[name] = (difference.norm() / reference.norm()).item() > WRONG
    return wrong


# %%
# The scales are equal at first. They differ after one of the scalers has met an overflow.

CASES = {
    "a scaler each": (a_scaler_each, (1024.0, 512.0), False),
    "a scaler each, equal scales": (a_scaler_each, (1024.0, 1024.0), False),
    "a scaler each, detached": (a_scaler_each, (1024.0, 512.0), True),
    "one scaler": (one_scaler, (1024.0, 512.0), False),
}
rows = []
for case, (way, scales, detached) in CASES.items():
    tries = [wrong_parts(way, scales, seed, detached) for seed in range(TRIES)]
    counts = {name: sum(parts[name] for parts in tries) for name in SIZES}
    rows.append({"case": case, **counts})
    print(rows[-1])

measured = {"tries": TRIES, "by_case": {"table": rows}}
