"""What does an event wait for, and what does the host do meanwhile?

Expect: everything queued before it in its stream (a kernel before the copy included), nothing queued after it, no other
stream. Event(blocking=True).synchronize(): CPU time of the wait ~0 instead of ~ the wait; latency a little longer.
"""
import json, time
import torch

gpu = torch.ones(2**20, device="cuda")
pinned = torch.empty(2**20, pin_memory=True)
H = 20_000_000
torch.cuda._sleep(1000); pinned.copy_(gpu, non_blocking=True); torch.cuda.synchronize()


def emit(**kw):
    print(json.dumps(kw), flush=True)


before, after, arrived = (torch.cuda.Event() for _ in range(3))
n = {"earlier_done": 0, "later_busy": 0, "copy_then_kernel_early": 0}
for _ in range(10):
    torch.cuda.synchronize()
    torch.cuda._sleep(H); before.record()
    pinned.copy_(gpu, non_blocking=True)
    arrived.record()
    torch.cuda._sleep(H); after.record()
    arrived.synchronize()
    n["earlier_done"] += before.query()
    n["later_busy"] += not after.query()
emit(case="event_order", **n, tries=10)
for name, wait in {
    "event": lambda e: e.synchronize(), "blocking_event": lambda e: e.synchronize(), "device": lambda e: torch.cuda.synchronize(),
    "stream": lambda e: torch.cuda.current_stream().synchronize(), "item": lambda e: gpu[0].item(),
}.items():
    cpu, wall = [], []
    for _ in range(8):
        event = torch.cuda.Event(blocking=name.startswith("blocking"))
        torch.cuda.synchronize()
        torch.cuda._sleep(H); event.record()
        c, t = time.thread_time(), time.perf_counter()
        wait(event)
        cpu.append(time.thread_time() - c); wall.append(time.perf_counter() - t)
    emit(case="cpu_while_waiting", wait=name, cpu_ms=[round(x * 1e3, 3) for x in cpu], wall_ms=[round(x * 1e3, 3) for x in wall])
for blocking in (False, True, False, True):
    lat = []
    for _ in range(40):
        event = torch.cuda.Event(blocking=blocking)
        torch.cuda.synchronize()
        t = time.perf_counter()
        pinned.copy_(gpu, non_blocking=True); event.record(); event.synchronize()
        lat.append((time.perf_counter() - t) * 1e6)
    lat.sort()
    emit(case="copy_and_wait_us", blocking=blocking, median=round(lat[20], 1), p90=round(lat[36], 1))
