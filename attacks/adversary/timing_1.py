"""
Sentence (execution/timing.md:70): `torch.cuda.synchronize()` waits for the streams that its own thread has used; work that another thread queued in a stream of its own may still run.

Attack: Another thread makes a stream, holds it for about 100 ms with _sleep and records an event; the main thread, which never touched that stream, calls torch.cuda.synchronize() and asks the event. Both with the thread ended and with it alive; control: the event is not reached before.

Expected: synchronize() (cudaDeviceSynchronize) waits for every stream of the device: the event is always reached.

Refuted if: in every one of 10 tries the event was unreached before and reached after synchronize().
"""
import json
import time

import torch

SENTENCE = '`torch.cuda.synchronize()` waits for the streams that its own thread has used; work that another thread queued in a stream of its own may still run.'


def say(**row):
    print(json.dumps(row, default=str), flush=True)


import threading


def one(keep_alive):
    torch.cuda.synchronize()
    got, ready, stop = {}, threading.Event(), threading.Event()

    def work():
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            torch.cuda._sleep(200_000_000)
            got["event"] = torch.cuda.Event()
            got["event"].record()
        ready.set()
        if keep_alive:
            stop.wait(10)

    thread = threading.Thread(target=work)
    thread.start()
    ready.wait(10)
    if not keep_alive:
        thread.join()
    before = got["event"].query()
    begin = time.perf_counter()
    torch.cuda.synchronize()
    waited = time.perf_counter() - begin
    after = got["event"].query()
    stop.set()
    thread.join()
    say(keep_alive=keep_alive, reached_before=before, reached_after=after, waited_ms=round(waited * 1e3, 2))
    return before, after


def attack():
    torch.zeros(1, device="cuda").add_(1)
    one(False)
    tries = [one(i % 2 == 0) for i in range(10)]
    unreached = sum(not before for before, _ in tries)
    reached = sum(after for _, after in tries)
    return unreached == 10 and reached == 10, {"tries": 10, "unreached_before": unreached, "reached_after": reached}


if __name__ == "__main__":
    try:
        refuted, numbers = attack()
        verdict = "refuted" if refuted else "not refuted"
    except Exception as error:  # the attack failed: it decides nothing
        verdict, numbers = "not refuted", {"failed": f"{type(error).__name__}: {str(error)[:300]}"}
    print(json.dumps({"verdict": verdict, "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
