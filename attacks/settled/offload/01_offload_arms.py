"""Offloading against checkpointing, arms in turns: first step and steady steps apart.

Expect (batch 2048, ms): plain ~8, checkpoint ~10.5 (4/3), pinned first ~75 then ~25, pageable first ~350 and
falling to ~22 times plain. Peaks beyond model+gradients+batch: plain 192 MiB, pinned 80, pageable 80, checkpoint ~?.
Refutes the page: pageable steady far from its first step (then "43 times" is the first touch), or a checkpoint that
is as light as save_on_cpu and faster (then the page recommends the wrong thing).
"""
import json, sys, time
import torch
from torch.autograd.graph import save_on_cpu
from torch.utils.checkpoint import checkpoint

BATCH = int(sys.argv[1]) if len(sys.argv) > 1 else 2048
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 8
LAYERS, WIDTH = 8, 2048
with torch.device("cuda"):
    pairs = [torch.nn.Sequential(torch.nn.Linear(WIDTH, WIDTH), torch.nn.ReLU()) for _ in range(LAYERS)]
net = torch.nn.Sequential(*pairs)
batch = torch.rand(BATCH, WIDTH, device="cuda")


def plain():
    return net(batch).square().mean()


def offload(**kw):
    def way():
        with save_on_cpu(**kw):
            return net(batch).square().mean()
    return way


def check(part):
    def way():
        out = batch
        for first in range(0, LAYERS, part):
            out = checkpoint(net[first : first + part], out, use_reentrant=False)
        return out.square().mean()
    return way


ways = {"plain": plain, "check1": check(1), "check2": check(2), "check4": check(4), "check8": check(8),
        "pinned": offload(pin_memory=True), "pageable": offload()}


def step(way):
    net.zero_grad(set_to_none=False)
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    begin = time.perf_counter()
    way().backward()
    torch.cuda.synchronize()
    ms = (time.perf_counter() - begin) * 1e3
    top = torch.cuda.max_memory_allocated()
    return ms, top - before, top


until = time.perf_counter() + 0.3
while time.perf_counter() < until:
    step(plain)
times = {n: [] for n in ways}
peaks, grads = {}, {}
for _ in range(ROUNDS):
    for n, w in ways.items():
        ms, beyond, total = step(w)
        times[n].append(round(ms, 2))
        peaks[n] = beyond / 2**20, total / 2**20
        if n not in grads:
            grads[n] = [p.grad.clone() for p in net.parameters()]
for n in ways:
    same = all(torch.equal(a, b) for a, b in zip(grads[n], grads["plain"]))
    print(json.dumps({"case": f"offload_arms_{BATCH}", "way": n, "ms": times[n], "beyond_MiB": peaks[n][0], "total_MiB_with_kept_grads": peaks[n][1], "same": same}))
