"""Page: execution/streams.md. "`torch.cuda.GreenContext` ... limits work to some of them, from `set_context()` to
`pop_context()`".
Attack: work between the two calls that is not a forward operation of this thread: backward of the same function, the same
operation in another thread, the same in a side stream entered inside. 16 of 132 multiprocessors must make it about 8 times
slower. Backward also as values: a gradient that depends on the slow forward. Refuted if one of them is not slowed (< 3 times).
"""
import threading
import time
import torch
from torch.cuda import GreenContext

values = torch.rand(2**26, device="cuda", requires_grad=True)
out, other = torch.empty(2**26, device="cuda"), torch.cuda.Stream()
green = GreenContext.create(num_sms=16, device_id=0)
plain = values.detach()


def forward():
    for _ in range(4):
        torch.lgamma(plain, out=out)


loss = torch.lgamma(values)  # its graph is made outside; only backward runs between the two calls


def backward():
    for _ in range(4):
        torch.autograd.grad(loss, values, out, retain_graph=True)


def in_a_thread():
    thread = threading.Thread(target=forward)
    thread.start(); thread.join()


def in_a_stream():
    with torch.cuda.stream(other):
        forward()


def seconds(work, inside):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    if inside:
        green.set_context()
    try:
        work()
    finally:
        if inside:
            green.pop_context()
    torch.cuda.synchronize()  # outside again: all streams of the GPU, and the former one waits for the context
    return time.perf_counter() - begin


WORK = {"forward": forward, "backward": backward, "thread": in_a_thread, "side stream inside": in_a_stream}
ratios = {}
for name, work in WORK.items():
    try:
        [seconds(work, inside) for inside in (False, True)]
    except RuntimeError as error:
        if name != "side stream inside":
            raise
        print(f"{name}: raises {str(error).splitlines()[0]}; not counted")
        torch.cuda.synchronize()
        continue
    whole = min(seconds(work, False) for _ in range(4))
    part = min(seconds(work, True) for _ in range(4))
    ratios[name] = part / whole
    print(f"{name}: whole GPU {whole * 1e3:.2f} ms, between set_context and pop_context {part * 1e3:.2f} ms ({ratios[name]:.2f})")
if ratios["forward"] < 3:
    raise RuntimeError("control: forward is not limited")
bad = {name: round(value, 2) for name, value in ratios.items() if value < 3}
print(f"REFUTED: not limited between the two calls: {bad}" if bad else f"NOT REFUTED: {ratios}")
