"""Page: execution/sanitizer.md. "It finds operations, also those of backward passes, that use a tensor without waiting for another
stream. ... but it sees only the operations that its own thread dispatches." (what it misses: threads, graphs, _like, the host, reused
memory, parts.)
Attack: operations of its own thread that write to an argument without saying so in their schema, or through a list: the running mean of
batch_norm (cuDNN and native), foreach and fused optimizers, index_put_, out=, RNN, a kernel compiled at run time, a Triton-free custom
op. The writer is in a held side stream, the sum in the current one. Refuted if the sum is really wrong and nothing is reported.
"""
import io
import re
from contextlib import redirect_stderr, suppress
import torch
import torch.nn.functional as F
from torch.cuda._sanitizer import CUDASanitizerErrors, enable_cuda_sanitizer

side = torch.cuda.Stream()
images = torch.ones(8, 64, 16, 16, device="cuda")
rows = torch.ones(64, 64, device="cuda")
x, var, grad = torch.zeros(64, device="cuda"), torch.ones(64, device="cuda"), torch.ones(64, device="cuda")
index, one = torch.arange(64, device="cuda"), torch.ones(64, device="cuda")
step, m, v = (torch.zeros(s, device="cuda") for s in ((), 64, 64))
WRITES = {
    "fill_": lambda: x.fill_(1),
    "batch_norm of images": lambda: F.batch_norm(images, x, var, training=True),
    "batch_norm of rows": lambda: F.batch_norm(rows, x, var, training=True),
    "instance_norm": lambda: F.instance_norm(images, x, var, use_input_stats=True),
    "foreach_add_": lambda: torch._foreach_add_([x], 1), "foreach_copy_": lambda: torch._foreach_copy_([x], [one]),
    "index_put_": lambda: x.index_put_((index,), one), "out=": lambda: torch.add(one, one, out=x), "view in place": lambda: x.view(8, 8).add_(1),
    "fused_sgd": lambda: torch._fused_sgd_([x], [grad], [], weight_decay=0., momentum=0., lr=1., dampening=0., nesterov=False, maximize=False, is_first_step=True),
    "cat out": lambda: torch.cat([one[:32], one[:32]], out=x),
}
if hasattr(torch.cuda, "_compile_kernel"):
    kernel = torch.cuda._compile_kernel('extern "C" __global__ void put(float* y) { y[threadIdx.x] = 1.f; }', "put")
    WRITES["compiled kernel"] = lambda: kernel((1, 1, 1), (64, 1, 1), (x,))


def race(write, hold):
    with torch.cuda.stream(side):
        if hold:
            torch.cuda._sleep(hold)
        write()
    return x.sum()


def prepare():
    torch.cuda.synchronize(); x.zero_(); torch.cuda.synchronize()


wrong = {}
for name, write in WRITES.items():
    prepare(); race(write, 1000)
    prepare(); first = race(write, 20_000_000)
    torch.cuda.synchronize()
    wrong[name] = first.item() != x.sum().item()


def blamed(write):
    prepare()
    with redirect_stderr(io.StringIO()) as text, suppress(CUDASanitizerErrors):
        race(write, 0)
    torch.cuda.synchronize()
    return " after ".join(re.findall(r"^aten::\w+", text.getvalue(), re.M)) or "nothing"


enable_cuda_sanitizer()
bad = []
for name, write in WRITES.items():
    report = blamed(write)
    print(f"{name}: sum wrong {wrong[name]}, the sanitizer reports {report}")
    if name == "fill_" and (report == "nothing" or not wrong[name]):
        raise RuntimeError("control failed")
    if wrong[name] and report == "nothing" and name != "compiled kernel":  # that one is not dispatched
        bad.append(name)
print(f"REFUTED: dispatched by its own thread, wrong, and not found: {bad}" if bad else f"NOT REFUTED: {list(WRITES)}")
