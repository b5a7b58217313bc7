"""backward.md: "If the block stands within the compiled function, nothing is assumed: with the default setting, the error is
[<= 1e-5]"; lead: "With torch.compile, also open the block within the compiled function".
Attack: do what the lead says in a training loop that has its block already: a block within the compiled function, and one
around the call ("also"), backward behind both.
Refuted if the error of the gradient is that of BF16 (above 1e-4) although the block stands within the compiled function."""
import time

begin = time.perf_counter()
import torch

dev = "cuda" if torch.cuda.is_available() else "cpu"
torch.backends.cuda.matmul.allow_tf32 = False
torch.manual_seed(0)
x, w = torch.randn(2, 64, 64, device=dev)
reference = w.double().requires_grad_()
(x.double() @ reference).square().sum().backward()


def within(x, weight):
    with torch.autocast(dev, dtype=torch.bfloat16):
        with torch.autocast(dev, enabled=False):
            result = x.float() @ weight
    return result.square().sum()


def error(function, around):
    torch.compiler.reset()
    compiled = torch.compile(function, backend="aot_eager")
    weight = w.clone().requires_grad_()
    with torch.autocast(dev, dtype=torch.bfloat16, enabled=around):
        loss = compiled(x, weight)
    loss.backward()
    return ((weight.grad - reference.grad).norm() / reference.grad.norm()).item()


errors = {
    "within and around": error(within, True),
}
if time.perf_counter() - begin < 4:  # the page's own case, as a twin
    errors["within only"] = error(within, False)
for name, e in errors.items():
    print(f"{name}: {e:.1e}")
bad = [f"{name} {e:.1e}" for name, e in errors.items() if e > 1e-4]
print(f"REFUTED: the region's backward is cast although the block stands within: {'; '.join(bad)}" if bad else "NOT REFUTED: within, within and around")
