"""
A block within a compiled function is known
===========================================

Can a compiled backward pass be right without a setting? Yes, if the autocast block stands in the
compiled function: then there is nothing to assume. The setting itself counts when a function
is compiled, at its first call.
"""

# sphinx_gallery_evidence = {"expected_warnings": [".*deprecated"]}
# sphinx_gallery_quiet = "nothing"
import torch
import torch._functorch.config

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
torch.manual_seed(0)
x, w = torch.randn(2, 64, 64, device=device)


def exact_product(x, weight):
    with torch.autocast(device.type, enabled=False):
        return x.float() @ weight


@torch.compile(backend="aot_eager")
def forward(x, weight):
    with torch.autocast(device.type, dtype=torch.bfloat16):
        result = exact_product(x, weight)
    return result.square().sum()


weight = w.clone().requires_grad_()
forward(x, weight).backward()
print(weight.grad.dtype)

# %%
# How far is the gradient from one in FP64?

reference = w.double().requires_grad_()
(x.double() @ reference).square().sum().backward()


def error_of(found):
    return ((found - reference.grad).norm() / reference.grad.norm()).item()


within_error = error_of(weight.grad)

# %%
# With the block around the call, the setting decides. Here, it is changed before the first call
# of one function, and after the first call of another.


def gradient(function):
    weight = w.clone().requires_grad_()
    with torch.autocast(device.type, dtype=torch.bfloat16):
        loss = function(x, weight).square().sum()
    loss.backward()
    return weight.grad


def compiled():
    torch.compiler.reset()
    return torch.compile(exact_product, backend="aot_eager")


late = compiled()
torch._functorch.config.backward_pass_autocast = "same_as_forward"
gradient(late)
torch._functorch.config.backward_pass_autocast = "off"
late_error = error_of(gradient(late))
early_error = error_of(gradient(compiled()))
measured = {
    "eager_error": error_of(gradient(exact_product)),
    "within_error": within_error,
    "late_error": late_error,
    "early_error": early_error,
}
print(measured)
