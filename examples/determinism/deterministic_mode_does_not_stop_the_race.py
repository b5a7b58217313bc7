"""
Deterministic mode does not stop the race
=========================================

Is ``cudnn.benchmark`` harmless in deterministic mode? cuDNN still races, among kernels that repeat:
bits repeat within a process, and the next process may choose another kernel, with other bits.
"""

# sphinx_gallery_evidence = {"processes": 1, "timeout": 120}
import torch
from torch.nn import functional

torch.use_deterministic_algorithms(True)
x = torch.randn(16, 64, 56, 56, device="cuda")
weight = torch.randn(64, 64, 3, 3, device="cuda")
torch.backends.cudnn.benchmark = True  # race at the first call of a shape
raced = functional.conv2d(x, weight)
torch.backends.cudnn.benchmark = False
repeated = [functional.conv2d(x, weight) for _ in range(20)]
print("the same bits:", sum(torch.equal(raced, one) for one in repeated), "of 20")

# %%
# Convolutions in three types, forward and backward, in processes of their own: two that race in
# deterministic mode, two that race without it, and one in the mode that does not race. Each says
# which kernels ran, what bits came out, how many of twenty runs differed, and how many calls the
# first one took.

import json
import subprocess
import sys
from statistics import median

PROGRAM = """
import hashlib, json, sys, time, torch
from torch.nn import functional
torch.backends.cudnn.benchmark = "race" in sys.argv[1]
torch.use_deterministic_algorithms("mode" in sys.argv[1])
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
def bits(tensors):
    raw = [x.detach().reshape(-1).view(torch.uint8).cpu() for x in tensors]
    return hashlib.sha256(b"".join(x.numpy().tobytes() for x in raw)).hexdigest()
def tested(call):
    first = seconds(call)
    usual, one = min(seconds(call) for _ in range(20)), call()
    others = sum(not all(map(torch.equal, one, call())) for _ in range(20))
    return [bits(one), others, first / usual]
def kernels(call):
    with torch.profiler.profile(acc_events=True) as profile:
        call()
        torch.cuda.synchronize()
    kind = torch.autograd.DeviceType.CUDA
    return sorted(x.name for x in profile.events() if x.device_type == kind)
nchw, nhwc = torch.contiguous_format, torch.channels_last
KINDS = (torch.float32, nchw), (torch.float16, nhwc), (torch.bfloat16, nhwc)
CASES = (((16, 64, 56, 56), (64, 64, 3, 3), {}), ((16, 64, 56, 56), (256, 64, 1, 1), {}),
    ((8, 3, 224, 224), (64, 3, 7, 7), {"stride": 2}), ((4, 512, 7, 7), (512, 512, 3, 3), {}),
    ((16, 64, 56, 56), (64, 1, 3, 3), {"groups": 64}))
calls = [made(*kind, *case) for kind in KINDS for case in CASES]
print(flush=True), input()  # loaded: it waits for its turn
made(*KINDS[0], (8, 16, 20, 20), (16, 16, 3, 3), {})()
found = list(map(tested, calls))
print(flush=True), input()  # the profiler follows when all have had their turn
print(json.dumps([[kernels(call), *one] for call, one in zip(calls, found)]))
"""


# %%
# Each has a turn alone, so that a race and a timed call find the GPU idle.


def started(mode):
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-c", PROGRAM, mode], **pipes)


MODES = {"race in the mode": 2, "race": 2, "mode": 1}
names = [name for name, count in MODES.items() for _ in range(count)]
processes = [started(name) for name in names]
for process in processes:
    process.stdout.readline()
for process in processes:
    print(file=process.stdin, flush=True)
    process.stdout.readline()
for process in processes:
    print(file=process.stdin, flush=True)
said = [json.loads(part.communicate()[0].splitlines()[-1]) for part in processes]
rows, usual = [], said[names.index("mode")]
for mode in MODES:
    cases = list(zip(*(part for part, name in zip(said, names) if name == mode)))
    row = {"mode": mode, "processes": len(cases[0])}
    row["repeat_within"] = sum(all(one[2] == 0 for one in case) for case in cases)
    row["kernels_vary"] = sum(any(x[0] != c[0][0] for x in c) for c in cases)
    row["bits_vary"] = sum(any(x[1] != c[0][1] for x in c) for c in cases)
    row["other_kernels"] = sum(c[0][0] != x[0] for c, x in zip(cases, usual))
    row["first_call"] = median(one[3] for case in cases for one in case)
    rows.append(row)
    print(row)
measured = {"cases": len(usual), "by_mode": {"table": rows}}
