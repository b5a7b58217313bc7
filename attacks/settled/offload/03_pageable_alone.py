"""Pageable save_on_cpu alone in a process, 14 steps in a row, with the page faults of each step.

Expect: many faults (pages first touched) in the first step, fewer later if glibc keeps the memory, so a lower steady
time; the steady time is still >= 10 times plain. Refutes: steady equals first step (then no first touch), or the
pinned step after it is not ~3.
"""
import json, resource, time
import torch
from torch.autograd.graph import save_on_cpu

net = torch.nn.Sequential(*(m for _ in range(8) for m in (torch.nn.Linear(2048, 2048), torch.nn.ReLU()))).cuda()
batch = torch.rand(2048, 2048, device="cuda")


def step(offload, **kw):
    net.zero_grad(set_to_none=False)
    torch.cuda.synchronize()
    faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    begin = time.perf_counter()
    if offload:
        with save_on_cpu(**kw):
            loss = net(batch).square().mean()
    else:
        loss = net(batch).square().mean()
    forward = time.perf_counter() - begin
    loss.backward()
    torch.cuda.synchronize()
    ms = (time.perf_counter() - begin) * 1e3
    return [round(ms, 2), round(forward * 1e3, 1), resource.getrusage(resource.RUSAGE_SELF).ru_minflt - faults]


until = time.perf_counter() + 0.3
while time.perf_counter() < until:
    step(False)
print(json.dumps({"case": "plain", "ms_fwd_faults": [step(False) for _ in range(4)]}))
print(json.dumps({"case": "pageable_alone", "ms_fwd_faults": [step(True) for _ in range(14)]}))
print(json.dumps({"case": "pinned_after", "ms_fwd_faults": [step(True, pin_memory=True) for _ in range(5)]}))
print(json.dumps({"case": "pageable_again", "ms_fwd_faults": [step(True) for _ in range(3)]}))
