"""
Autocast casts a weight once
============================

How often does autocast cast a weight that is used three times? Once in each outermost block, if
the weight is a leaf that requires a gradient; every time otherwise. The copies are kept until
that block ends.
"""

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


def casts(make, mode=torch.enable_grad, blocks=1, **options):
    low = x.bfloat16()
    with profile(**CALLS) as profiler, mode():
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
# A thread shares the cache. Even an empty block empties it when it ends.

import threading


def enter_and_leave():
    with torch.autocast(device.type, dtype=torch.bfloat16):
        pass


def casts_beside_a_thread(work):
    low = x.bfloat16()
    block = torch.autocast(device.type, dtype=torch.bfloat16)
    with profile(**CALLS) as profiler, block:
        low @ parameter
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        low @ parameter
    return sum(event.name == "aten::_to_copy" for event in profiler.events())


# %%
# The same number of uses in as many blocks, and in the other modes of autograd.

measured = {
    "uses": USES,
    "kinds": {"table": rows},
    "three_blocks": casts(KINDS["parameter"], blocks=USES),
    "without_gradients": casts(KINDS["parameter"], torch.no_grad),
    "inference_mode": casts(KINDS["parameter"], torch.inference_mode),
    "beside_a_block": casts_beside_a_thread(enter_and_leave),
    "beside_no_block": casts_beside_a_thread(int),
}
print(measured)
