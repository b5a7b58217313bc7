"""
Benchmarking may pick another convolution
=========================================

Do convolutions repeat? A process that lets cuDNN race its algorithms may settle for another one
than the process before, with other bits. Without the race, the choice is the same each time.
"""

# sphinx_gallery_evidence = {"processes": 1, "timeout": 240}
import torch
from torch.nn import functional

x = torch.randn(16, 64, 56, 56, device="cuda")
weight = torch.randn(64, 64, 3, 3, device="cuda")
torch.backends.cudnn.deterministic = True  # another choice, kept apart
plain = functional.conv2d(x, weight)
torch.backends.cudnn.deterministic = False
torch.backends.cudnn.benchmark = True  # race at the first call of a shape
raced = functional.conv2d(x, weight)
torch.backends.cudnn.benchmark = False
print("the same bits:", torch.equal(plain, raced))

# %%
# Several convolutions, forward and backward, in processes of their own. Each says which kernels
# ran, what bits came out, how many of twenty runs differed, and how many calls the first one took.

import json
import subprocess
import sys
from statistics import median

PROGRAM = """
import json, sys, time, torch
from torch.nn import functional
mode = sys.argv[1]
torch.backends.cudnn.benchmark = mode == "benchmark"
torch.backends.cudnn.deterministic = mode == "deterministic"
torch.use_deterministic_algorithms(mode == "switch")

def made(kind, layout, size, *shape, **options):
    torch.manual_seed(0)
    x = torch.randn(size, device="cuda", dtype=kind).to(memory_format=layout)
    w = torch.randn(shape, device="cuda", dtype=kind).to(memory_format=layout)
    x, w = x.requires_grad_(), w.requires_grad_()
    y = functional.conv2d(x.to("meta"), w.to("meta"), **options)  # not yet on the GPU
    g = torch.randn(y.shape, device="cuda", dtype=kind).to(memory_format=layout)
    def call():
        y = functional.conv2d(x, w, **options)
        return [y, *torch.autograd.grad(y, (x, w), g)]
    return call

def seconds(call):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    call()
    torch.cuda.synchronize()
    return time.perf_counter() - begin

def kernels(call):
    with torch.profiler.profile(acc_events=True) as profile:
        call()
        torch.cuda.synchronize()
    kind = torch.autograd.DeviceType.CUDA
    return sorted(x.name for x in profile.events() if x.device_type == kind)

def bits(x):  # one number of all bits, each by its place
    x = x.detach().double().flatten().view(torch.int64).remainder(2**31 - 1)
    return (x * torch.arange(1, len(x) + 1, device="cuda")).sum().item()

rows = []
nchw, nhwc = torch.contiguous_format, torch.channels_last
made(torch.float32, nchw, (8, 16, 20, 20), 16, 16, 3, 3)()
for kind, layout, size, shape, options in eval(CASES):
    call = made(kind, layout, size, *shape, **options)
    first = seconds(call)
    usual = min(seconds(call) for _ in range(20))
    one = call()
    others = sum(not all(map(torch.equal, one, call())) for _ in range(20))
    rows.append([kernels(call), list(map(bits, one)), others, first / usual])
print(json.dumps(rows))
"""
CASES = """[(kind, layout, *case)
    for kind, layout in ((torch.float32, nchw), (torch.float16, nchw), (torch.float16, nhwc))
    for case in (
        ((16, 64, 56, 56), (64, 64, 3, 3), {}), ((16, 64, 56, 56), (256, 64, 1, 1), {}),
        ((8, 3, 224, 224), (64, 3, 7, 7), {"stride": 2}), ((4, 512, 7, 7), (512, 512, 3, 3), {}),
        ((16, 64, 56, 56), (64, 1, 3, 3), {"groups": 64}))]"""
ALONE = {"default": 3, "benchmark": 3}  # runs of each, the last default to compare with
TOGETHER = {"deterministic": 2, "switch": 2}

# %%
# A race and a timed call should find the GPU idle: only the other processes run at the same time.


def started(mode):
    command = [sys.executable, "-c", f"CASES = {CASES!r}\n{PROGRAM}", mode]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def found_by(process):
    return json.loads(process.communicate()[0].splitlines()[-1])


runs = {mode: [found_by(started(mode)) for _ in range(n)] for mode, n in ALONE.items()}
together = {mode: [started(mode) for _ in range(n)] for mode, n in TOGETHER.items()}
runs |= {mode: list(map(found_by, some)) for mode, some in together.items()}
usual, modes = runs["default"].pop(), []
for mode, found in runs.items():
    cases = list(zip(*found))
    within = [all(one[2] == 0 for one in case) for case in cases]
    between = [all(one[1] == first[1] for one in rest) for first, *rest in cases]
    row = {"mode": mode, "processes": len(found), "repeat_within": sum(within)}
    row["kernels_vary"] = sum(any(x[0] != c[0][0] for x in c[1:]) for c in cases)
    both = sum(map(min, within, between))
    row |= {"repeat_between": sum(between), "repeat_both": both}
    row["other_kernels"] = sum(x[0] != plain[0] for x, plain in zip(found[0], usual))
    modes.append(row)
measured = {"cases": len(runs["default"][0]), "by_mode": {"table": modes}}
for mode in ALONE:
    measured[f"first_call_{mode}"] = median(one[3] for run in runs[mode] for one in run)
