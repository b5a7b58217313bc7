"""Page: execution/waiting.md. "Call `side.wait_stream(current)` ... The call covers what has been queued so far, and the
host does not wait."
Attack: steady state far ahead: 6000 wait_stream (and wait_event of one event, and pairs in both directions) while the
waited-for stream is held for some 150 ms. Refuted if the host is held until the stream goes on (a call longer than
10 ms, or the hold over although the calls need but a few ms).
"""
import time
import torch

here, side = torch.cuda.current_stream(), torch.cuda.Stream()
torch.cuda._sleep(1000); side.wait_stream(here); torch.cuda.synchronize()
HOLD, CALLS = 300_000_000, 6000


def one_event():
    event = here.record_event()
    return lambda: side.wait_event(event)


def waits():
    return lambda: side.wait_stream(here)


def both():
    return lambda: (side.wait_stream(here), here.wait_stream(side))


held = {}
for name, make in {"wait_stream": waits, "one event": one_event, "both ways": both}.items():
    torch.cuda.synchronize()
    torch.cuda._sleep(HOLD)
    over = here.record_event()
    call = make()
    worst, at = 0, None
    start = time.perf_counter()
    for number in range(CALLS):
        begin = time.perf_counter()
        call()
        took = time.perf_counter() - begin
        if took > worst:
            worst, at = took, number
    total = time.perf_counter() - start
    was_over = over.query()
    torch.cuda.synchronize()
    held[name] = worst > 0.01 and was_over
    print(f"{name}: {CALLS} calls in {total * 1e3:.1f} ms, longest {worst * 1e3:.2f} ms at call {at}, hold over: {was_over}")
bad = [name for name, value in held.items() if value]
if bad:
    print(f"REFUTED: the host waited for the held stream in {bad}: the queue was full of waits")
else:
    print(f"NOT REFUTED: {CALLS} waits behind a held stream: {list(held)}")
