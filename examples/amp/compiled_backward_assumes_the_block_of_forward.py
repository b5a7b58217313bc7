"""
Compiled backward assumes the block of forward
==============================================

Does ``torch.compile`` change what autocast does in backward? Yes: it assumes that backward runs
in the same autocast block as forward, even if it does not. With one setting it assumes what
the usual loop does.
"""

# sphinx_gallery_evidence = {"fresh": True, "timeout": 240, "expected_warnings": [".*deprecated"]}
# sphinx_gallery_quiet = "nothing"
import os
import tempfile
import warnings

import torch
import torch._functorch.config

default = torch._functorch.config.backward_pass_autocast
torch._functorch.config.backward_pass_autocast = "off"  # backward comes after

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
torch.manual_seed(0)
layer = torch.nn.Linear(64, 64, device=device)
compiled = torch.compile(layer, backend="aot_eager")
with torch.autocast(device.type, dtype=torch.bfloat16):
    loss = compiled(torch.randn(8, 64, device=device)).square().mean()
loss.backward()
print(f"the default is {default!r}; gradient: {layer.weight.grad.dtype}")

# %%
# A function that disables autocast to multiply in FP32 shows the difference. The gradient of
# its weight is compared with one in FP64, and with that of eager mode bit by bit.

BIG = 65536.0  # what a gradient scaler multiplies the loss with at first
x, w = torch.randn(2, 64, 64, device=device)
reference = w.double().requires_grad_()
(x.double() @ reference).square().sum().backward()


def error_of(found):
    return ((found - reference.grad).norm() / reference.grad.norm()).item()


def exact_product(x, weight):
    with torch.autocast(device.type, enabled=False):
        return x.float() @ weight


def gradient(function, inside=False, dtype=torch.bfloat16, scale=1.0):
    weight = w.clone().requires_grad_()
    with torch.autocast(device.type, dtype=dtype):
        loss = function(x, weight).float().square().sum() * scale
        if inside:
            loss.backward()
    if not inside:
        loss.backward()
    return weight.grad


# %%
# One row for each backend, setting and place of backward. The cache of the compiler starts
# empty, and its own warnings are ignored.

os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()
CASES = [
    ("aot_eager", "same_as_forward", False),
    ("aot_eager", "same_as_forward", True),
    ("aot_eager", "off", False),
    ("aot_eager", "off", True),
    ("inductor", "same_as_forward", False),
    ("inductor", "off", False),
]


def compiled_for(backend, setting):
    torch._functorch.config.backward_pass_autocast = setting
    torch.compiler.reset()
    return torch.compile(exact_product, backend=backend)


rows = []
for backend, setting, inside in CASES:
    with warnings.catch_warnings(action="ignore"):
        grad = gradient(compiled_for(backend, setting), inside)
    place = "inside" if inside else "behind"
    row = {"case": f"{backend}, {setting}, {place}", "error": error_of(grad)}
    row["as_eager"] = torch.equal(grad, gradient(exact_product, inside))
    rows.append(row)
    print(row)

# %%
# In FP16 with a scaled loss, the gradient overflows. The error of eager mode, behind the block, is
# what to compare with.


def overflowed(setting):
    function = compiled_for("aot_eager", setting)
    return (~gradient(function, dtype=torch.float16, scale=BIG).isfinite()).sum().item()


measured = {
    "default": default,
    "by_case": {"table": rows},
    "elements": w.numel(),
    "overflowed_by_default": overflowed("same_as_forward"),
    "overflowed_off": overflowed("off"),
    "eager_error": error_of(gradient(exact_product)),
}
print({name: measured[name] for name in measured if "over" in name})
