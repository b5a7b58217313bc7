"""Waits and copy calls of the six routes at other sizes and types: is 'one wait per copy, one cudaMemcpyAsync' general?

Expect: 10 copies, 10 waits by default, 0 with non_blocking, at 4 B, 1 KiB, 1 MiB, 64 MiB; GPU->GPU 0 waits (cudaMemcpyAsync
or a kernel). Refutes: another count anywhere. Plain form: cpu.to('cuda', non_blocking=True).mean() right behind a held stream.
"""
import json
import torch
from torch.profiler import ProfilerActivity, profile

N = 10
BOTH = [ProfilerActivity.CPU, ProfilerActivity.CUDA]


def count(route, free):
    torch.cuda.synchronize()
    with profile(activities=BOTH, acc_events=True) as p:
        for _ in range(N):
            route(free)
        torch.cuda.synchronize()
    names = [e.name for e in p.events()]
    return {k: names.count(k) for k in ("cudaMemcpyAsync", "cudaMemcpy", "cudaStreamSynchronize", "cudaLaunchKernel", "cudaDeviceSynchronize", "cudaEventSynchronize") if names.count(k)}


for size in (1, 256, 2**18, 2**24):
    pageable, into_pageable = torch.ones(size), torch.ones(size)
    pinned, into_pinned = (torch.ones(size, pin_memory=True) for _ in range(2))
    gpu, into_gpu = torch.ones(size, device="cuda"), torch.ones(size, device="cuda")
    routes = {
        "pageable-to-gpu": lambda f: pageable.to("cuda", non_blocking=f), "pinned-to-gpu": lambda f: pinned.to("cuda", non_blocking=f),
        "gpu-to-new": lambda f: gpu.to("cpu", non_blocking=f), "gpu-to-pageable": lambda f: into_pageable.copy_(gpu, non_blocking=f),
        "gpu-to-pinned": lambda f: into_pinned.copy_(gpu, non_blocking=f), "gpu-to-gpu": lambda f: into_gpu.copy_(gpu, non_blocking=f),
        "gpu-to-gpu-cast": lambda f: gpu.to(torch.float16, non_blocking=f),
    }
    count(routes["pinned-to-gpu"], True)
    for name, route in routes.items():
        try:
            route(True), route(False)
            print(json.dumps({"case": "routes", "floats": size, "route": name, "default": count(route, False), "free": count(route, True)}), flush=True)
        except Exception as e:
            print(json.dumps({"case": "routes", "route": name, "error": repr(e)[:200]}), flush=True)
    del pageable, into_pageable, pinned, into_pinned, gpu, into_gpu
for pin in (False, True):
    for size in (2**10, 2**20, 2**24):
        host = torch.arange(size, dtype=torch.float32)
        host = host.pin_memory() if pin else host
        want = host.to("cuda").mean()
        wrong = 0
        for _ in range(10):
            torch.cuda.synchronize()
            torch.cuda._sleep(10_000_000)
            wrong += bool(host.to("cuda", non_blocking=True).mean() != want)
        print(json.dumps({"case": "plain_form", "pinned": pin, "floats": size, "wrong_of_10": wrong}), flush=True)
