"""
Autocast casts a weight once
============================

How often does autocast cast a weight that is used three times? Once in each outermost block, if
the weight is a leaf that requires a gradient; every time otherwise, and in recurrent layers.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.profiler import ProfilerActivity, profile

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
layer = torch.nn.Linear(8, 8, bias=False, device=device)
x = torch.randn(4, 8, device=device)
CALLS = {"activities": [ProfilerActivity.CPU], "acc_events": True}

with profile(**CALLS) as profiler, torch.autocast(device.type, dtype=torch.bfloat16):
    layer(layer(layer(x)))
casts = [event for event in profiler.events() if event.name == "aten::_to_copy"]
print(f"{len(casts)} casts: the weight and the input, once each")

# %%
# Which tensors does the cache keep? The input is in BF16 already, so that all casts are those of
# the weight.

USES = 3
weight = torch.randn(8, 8, device=device)
parameter = weight.clone().requires_grad_()
KINDS = {
    "parameter": lambda: parameter,
    "frozen": lambda: weight,
    "computed": lambda: parameter + parameter,
    "transposed": lambda: parameter.t(),
}


def casts(make, blocks=1, **options):
    low = x.bfloat16()
    with profile(**CALLS) as profiler:
        for _ in range(blocks):
            with torch.autocast(device.type, dtype=torch.bfloat16, **options):
                made = make()
                for _ in range(USES // blocks):
                    low @ made
    return sum(event.name == "aten::_to_copy" for event in profiler.events())


rows = []
for kind, make in KINDS.items():
    cached, uncached = casts(make), casts(make, cache_enabled=False)
    rows.append({"kind": kind, "cached": cached, "uncached": uncached})
    print(f"{kind:>10}: {cached} casts for {USES} uses, {uncached} without the cache")

# %%
# Weights that were cast once do not show a change within the block. cuDNN runs recurrent layers,
# with casts of their own.


def shows_a_change(layer):
    with torch.no_grad(), torch.autocast(device.type, dtype=torch.bfloat16):
        before = layer(x)
        for parameter in layer.parameters():
            parameter.mul_(2)
        after = layer(x)
    if isinstance(before, tuple):
        before, after = before[0], after[0]
    return not torch.equal(before, after)


RECURRENT = torch.nn.GRU, torch.nn.LSTM, torch.nn.RNN
recurrent_changed = sum(shows_a_change(kind(8, 8).to(device)) for kind in RECURRENT)
linear_changed = shows_a_change(torch.nn.Linear(8, 8).to(device))
print(f"changed: {recurrent_changed} of {len(RECURRENT)}; linear: {linear_changed}")

# %%
# The same number of uses in as many blocks.

measured = {
    "uses": USES,
    "kinds": {"table": rows},
    "three_blocks": casts(KINDS["parameter"], blocks=USES),
    "recurrent": len(RECURRENT),
    "recurrent_changed": recurrent_changed,
    "linear_changed": linear_changed,
}
print(f"{measured['three_blocks']} casts for {USES} uses in as many blocks")
