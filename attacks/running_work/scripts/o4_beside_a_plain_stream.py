"""Page: execution/other_streams.md. "The price of a plain stream is that nothing in it runs beside the default stream." / "a plain
one ... waits for the default stream and is awaited by it".
Attack: with the default stream held, what is done in a plain foreign stream meanwhile: kernel, copy from and to pinned memory, memset,
graph replay, an event already queued before the hold, work of another GPU's plain stream; and the other way round. Also work that
began in the plain stream BEFORE the default stream got its own. Refuted if something in it (or after it in the default stream) runs
while the other is held.
"""
import ctypes
import time
import torch

torch.cuda.init()
x = torch.zeros(2**20, device="cuda")
host = torch.zeros(2**20, pin_memory=True)
driver = ctypes.CDLL("libcuda.so.1")


def plain_stream():
    address = ctypes.c_void_p()
    if driver.cuStreamCreate(ctypes.byref(address), 0):
        raise RuntimeError("no stream")
    return torch.cuda.ExternalStream(address.value)


plain, default, side = plain_stream(), torch.cuda.default_stream(), torch.cuda.Stream()
plain2 = plain_stream()
graph = torch.cuda.CUDAGraph()
x.add_(1); torch.cuda._sleep(1000); torch.cuda.synchronize()
with torch.cuda.graph(graph):
    x.add_(1)
WORK = {"kernel": lambda: x.add_(1), "copy from the host": lambda: x.copy_(host, non_blocking=True),
        "copy to the host": lambda: host.copy_(x, non_blocking=True), "memset": lambda: x.zero_(), "graph": graph.replay,
        "copy on the GPU": lambda: x[:1000].copy_(x[1000:2000])}


def beside(holder, worker, work):
    torch.cuda.synchronize()
    with torch.cuda.stream(holder):
        torch.cuda._sleep(30_000_000)
        late = holder.record_event()
    with torch.cuda.stream(worker):
        work()
        done = worker.record_event()
    stop = time.perf_counter() + 0.005
    while time.perf_counter() < stop and not done.query():
        pass
    ran = done.query() and not late.query()
    torch.cuda.synchronize()
    return ran


bad = []
for name, work in WORK.items():
    for label, pair in {"plain beside default": (default, plain), "default beside plain": (plain, default),
                        "plain beside plain": (plain, plain2), "side beside plain": (plain, side)}.items():
        beside(*pair, work)
        count = sum(beside(*pair, work) for _ in range(4))
        print(f"{name}, {label}: done while the other was held in {count} of 4")
        if count and "default" in label:
            bad.append(f"{name}, {label}: {count} of 4")


def begun_before():  # the plain stream works already when the default stream gets work
    torch.cuda.synchronize()
    with torch.cuda.stream(plain):
        torch.cuda._sleep(30_000_000)
    with torch.cuda.stream(plain2):
        torch.cuda._sleep(10_000_000)
    begin = time.perf_counter()
    torch.cuda._sleep(10_000_000)
    torch.cuda.synchronize()
    return time.perf_counter() - begin


print(f"default after two plain ones: {begun_before() * 1e3:.1f} ms")
if torch.cuda.device_count() > 1:
    y = torch.zeros(1000, device="cuda:1"); y.add_(1); torch.cuda.synchronize(1)
    with torch.cuda.device(1):
        foreign = plain_stream()
    torch.cuda._sleep(30_000_000)
    late = default.record_event()
    with torch.cuda.stream(foreign):
        y.add_(1)
    foreign.synchronize()
    print(f"a plain stream of the other GPU beside this GPU's default stream: {not late.query()}")
    torch.cuda.synchronize()
print(f"REFUTED: {bad}" if bad else f"NOT REFUTED: {list(WORK)}, both directions")
