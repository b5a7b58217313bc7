"""Page: execution/races.md. "A test that waits after each step does not show the race, and neither does the first launch
of a kernel".
Attack: in a fresh process, the FIRST launch ever of many kernels in the side stream, each while the current stream is held
and has yet to fill the tensor: operators of PyTorch, a kernel compiled at run time beforehand, memory taken beforehand.
Refuted if the first launch of one of these kernels reads the old values.
"""
import torch

side = torch.cuda.Stream()
a = torch.zeros(2**16, device="cuda")
b = torch.empty_like(a)
a.fill_(1); torch.cuda._sleep(1000)
torch.cuda.synchronize()
OPS = {
    "neg out": lambda: torch.neg(a, out=b), "mul out": lambda: torch.mul(a, 2, out=b),
    "exp out": lambda: torch.exp(a, out=b), "lgamma out": lambda: torch.lgamma(a, out=b),
    "copy_": lambda: b.copy_(a), "sum": lambda: a.sum(), "cumsum": lambda: a.cumsum(0),
    "to int8": lambda: a.to(torch.int8), "where": lambda: torch.where(a > 0, a, b),
}
compiled = None
if hasattr(torch.cuda, "_compile_kernel"):
    compiled = torch.cuda._compile_kernel(
        'extern "C" __global__ void half_of(const float* x, float* y, int n)'
        "{int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i] + 41.f;}", "half_of")
    OPS["compiled at run time"] = lambda: (compiled((256, 1, 1), (256, 1, 1), (a, b, a.numel())), b)[1]
shown = {}
for name, op in OPS.items():
    results = []
    for number in range(2):  # the first launch, and the second
        torch.cuda.synchronize()
        a.zero_()
        torch.cuda.synchronize()
        torch.cuda._sleep(20_000_000)
        a.fill_(1)
        filled = torch.cuda.current_stream().record_event()
        with torch.cuda.stream(side):
            result = op()
        early = not filled.query()
        torch.cuda.synchronize()
        late = op()
        torch.cuda.synchronize()
        if name.endswith("out") or name in ("copy_", "compiled at run time"):  # same memory: go by the order
            results.append(early)
        else:
            results.append(bool((result != late).any()))
        torch.cuda.synchronize()
    shown[name] = results
    print(f"{name}: raced at the first launch {results[0]}, at the second {results[1]}")
# for out= the host's early return does not prove the race: measure it with a clone of the value
raced = [name for name, (first, _) in shown.items() if first and not (name.endswith("out") or name in ("copy_", "compiled at run time"))]
extra = {}
c = torch.empty_like(a)
def fresh(name, op):
    torch.cuda.synchronize(); a.zero_(); c.fill_(-5); torch.cuda.synchronize()
    torch.cuda._sleep(20_000_000); a.fill_(1)
    with torch.cuda.stream(side):
        op()
    torch.cuda.synchronize()
    return c.clone()
NEW = {"sinh": torch.sinh, "erf": torch.erf, "digamma": torch.digamma, "trunc": torch.trunc}
for name, function in NEW.items():
    first = fresh(name, lambda: function(a, out=c))
    torch.cuda.synchronize(); a.fill_(1); right = function(a)
    extra[name] = bool((first.nan_to_num(7.) != right.nan_to_num(7.)).any())
if compiled is not None:
    kernel = torch.cuda._compile_kernel(
        'extern "C" __global__ void other_of(const float* x, float* y, int n)'
        "{int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i] + 7.f;}", "other_of")
    first = fresh("nvrtc", lambda: kernel((256, 1, 1), (256, 1, 1), (a, c, a.numel())))
    extra["compiled at run time"] = bool((first == 7).all())
print("values read at the first launch were old:", extra)
raced += [name for name, value in extra.items() if value]
print(f"REFUTED: the first launch read the old values: {raced}" if raced else f"NOT REFUTED: {len(OPS) + len(NEW)} first launches")
