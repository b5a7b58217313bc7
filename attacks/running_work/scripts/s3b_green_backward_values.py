"""Page: execution/streams.md on green contexts ("limits work to some of them, from `set_context()` to `pop_context()`"; "A
context waits for the stream that it is entered from, and that stream waits for the context afterwards") with
backward_streams.md: "Each backward operation runs in the stream of its forward operation, and backward inserts the waits
between them."
Attack: forward and backward both inside one green context, forward held by a sleep in it; backward runs in another thread,
for which the context was not set. Values of gradients read inside, and read after pop_context. Refuted if a gradient is
wrong in any try (control: the same without the context).
"""
import torch
from torch.cuda import GreenContext

COUNT = 2**20
green = GreenContext.create(num_sms=16, device_id=0)


def attempt(inside):
    torch.cuda.synchronize()
    x = torch.ones(COUNT, device="cuda", requires_grad=True)
    w = torch.zeros(COUNT, device="cuda")
    x.grad = torch.zeros_like(x)
    torch.cuda.synchronize()
    if inside:
        green.set_context()
    try:
        torch.cuda._sleep(20_000_000)
        w.fill_(3)  # the gradient of x, known only after the sleep
        loss = (w * x).sum()
        loss.backward()
        read = x.grad.clone()
    finally:
        if inside:
            green.pop_context()
    after = x.grad.clone()
    torch.cuda.synchronize()
    return [int((t != 3).any()) for t in (read, after, x.grad)]


attempt(False); attempt(True)
found = {}
for inside in (False, True):
    counts = [sum(c) for c in zip(*(attempt(inside) for _ in range(15)))]
    found[inside] = counts
    print(f"inside a green context {inside}: wrong when read inside, after pop_context, in the end: {counts} of 15")
if any(found[False]):
    raise RuntimeError("control failed")
print(f"REFUTED: forward and backward in one green context gave wrong gradients: {found[True]}" if any(found[True])
      else "NOT REFUTED: right inside and after the context, 15 tries")
