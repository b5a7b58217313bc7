"""
Benchmarking may pick another convolution
=========================================

Do convolutions repeat? A process that lets cuDNN race its algorithms may settle for another one
than the process before, with other bits. Without the race, the choice is the same each time.
"""

# sphinx_gallery_evidence = {"processes": 1, "timeout": 120}
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
def made(kind, layout, size, shape, options):
    torch.manual_seed(0)
    x = torch.randn(size, device="cuda", dtype=kind, requires_grad=True).to(memory_format=layout)
    w = torch.randn(shape, device="cuda", dtype=kind, requires_grad=True).to(memory_format=layout)
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
def bits(x):  # one number of all bits, each by its place
    x = x.detach().double().flatten().view(torch.int64).remainder(2**31 - 1)
    return (x * torch.arange(1, len(x) + 1, device="cuda")).sum().item()
def tested(call):
    first = seconds(call)
    usual, one = min(seconds(call) for _ in range(20)), call()
    others = sum(not all(map(torch.equal, one, call())) for _ in range(20))
    return [list(map(bits, one)), others, first / usual]
def kernels(call):
    with torch.profiler.profile(acc_events=True) as profile:
        call()
        torch.cuda.synchronize()
    kind = torch.autograd.DeviceType.CUDA
    return sorted(x.name for x in profile.events() if x.device_type == kind)
def use(mode):
    torch.backends.cudnn.benchmark = mode == "benchmark"
    torch.backends.cudnn.deterministic = mode == "deterministic"
    torch.use_deterministic_algorithms(mode == "switch")
nchw, nhwc, found = torch.contiguous_format, torch.channels_last, {}
KINDS = (torch.float32, nchw), (torch.float16, nhwc)
CASES = (((16, 64, 56, 56), (64, 64, 3, 3), {}), ((16, 64, 56, 56), (256, 64, 1, 1), {}),
    ((8, 3, 224, 224), (64, 3, 7, 7), {"stride": 2}), ((4, 512, 7, 7), (512, 512, 3, 3), {}),
    ((16, 64, 56, 56), (64, 1, 3, 3), {"groups": 64}))
calls = [made(*kind, *case) for kind in KINDS for case in CASES]
made(*KINDS[0], (8, 16, 20, 20), (16, 16, 3, 3), {})()
for mode in sys.argv[1:]:
    print(flush=True), input()  # done so far: it waits for its turn
    use(mode)
    found[mode] = list(map(tested, calls))
print(flush=True), input()
for mode, results in found.items():
    use(mode)
    found[mode] = [[kernels(call), *one] for call, one in zip(calls, results)]
print(json.dumps(found))
"""

# %%
# All processes load at the same time. Then each has a turn alone, so that a race and a timed call
# find the GPU idle. The other modes and the profiler follow, at the same time again.


def started(modes):
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-c", PROGRAM, *modes.split()], **pipes)


MODES = "default deterministic switch", "benchmark"
processes = [started(modes) for modes in MODES for _ in range(2)]
for process in processes:
    process.stdout.readline()
for process in processes:
    print(file=process.stdin, flush=True)
    process.stdout.readline()
for process in processes:
    print("\n\n", file=process.stdin, flush=True)  # all turns that are left
said = [json.loads(part.communicate()[0].splitlines()[-1]) for part in processes]
usual, modes, measured = said[0]["default"], [], {}
for mode in ("default", "benchmark", "deterministic", "switch"):
    cases = list(zip(*(part[mode] for part in said if mode in part)))
    within = [all(one[2] == 0 for one in case) for case in cases]
    between = [all(one[1] == first[1] for one in rest) for first, *rest in cases]
    row = {"mode": mode, "processes": len(cases[0]), "repeat_within": sum(within)}
    row["kernels_vary"] = sum(any(x[0] != c[0][0] for x in c[1:]) for c in cases)
    both = sum(map(min, within, between))
    row |= {"repeat_between": sum(between), "repeat_both": both}
    row["other_kernels"] = sum(c[-1][0] != x[0] for c, x in zip(cases, usual))
    modes.append(row)
    if mode in ("default", "benchmark"):
        measured[f"first_call_{mode}"] = median(one[3] for c in cases for one in c)
measured |= {"cases": len(usual), "by_mode": {"table": modes}}
