"""
device_to_host_4: docs/transfer/device_to_host.md:269 (no claim)

Sentence: The event waits for what its stream was given before it, and for no other stream.
Attack: an event in a stream that waits for another one (side.wait_stream(main), as queue_all in the same section does), and an event in the default stream while a stream that CUDA made as a blocking one (cudaStreamCreate through ctypes, torch.cuda.ExternalStream) is held; a control with neither
Expectation: the event ends only when the other stream has: through the wait, and in the legacy default stream through CUDA's implicit order
Refuted if: an event that was recorded with nothing of its own before it is still pending while only the other stream's kernel runs, and done when that ends (any of the two cases)
"""
import json
import os
import time

T0 = time.perf_counter()
import torch

SENTENCE = 'The event waits for what its stream was given before it, and for no other stream.'


def out(**row):
    print(json.dumps(row, default=str), flush=True)


def finish(refuted, numbers):
    verdict = "refuted" if refuted else "not refuted"
    row = {"verdict": verdict, "sentence": SENTENCE, "numbers": numbers}
    print(json.dumps(row, default=str), flush=True)


def cycles_of(seconds):
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    for _ in range(2):
        begin.record()
        torch.cuda._sleep(10_000_000)
        end.record()
        end.synchronize()
    return int(seconds * 10_000_000 / (begin.elapsed_time(end) / 1e3))


def empty_host_cache():
    public = getattr(torch.accelerator, "empty_host_cache", None)
    (public or torch._C._host_emptyCache)()

import ctypes


def main():
    side, other = torch.cuda.Stream(), torch.cuda.Stream()
    torch.cuda._sleep(1000)
    torch.cuda.synchronize()
    hold = cycles_of(0.1)
    numbers = {}

    def seconds(case, busy, mine, before=lambda: None):
        torch.cuda.synchronize()
        with torch.cuda.stream(busy):
            torch.cuda._sleep(hold)
        before()
        event = torch.cuda.Event()
        begin = time.perf_counter()
        event.record(mine)
        event.synchronize()
        numbers[case] = time.perf_counter() - begin
        torch.cuda.synchronize()

    for _ in range(2):
        seconds("control", other, side)
        seconds("side waits for other", other, side, lambda: side.wait_stream(other))
        seconds("queue_all: side waits for main", torch.cuda.default_stream(), side, lambda: side.wait_stream(torch.cuda.default_stream()))
        seconds("control, default stream beside a side stream", other, torch.cuda.default_stream())
    try:
        runtime = ctypes.CDLL(f"libcudart.so.{torch.version.cuda.split('.')[0]}")
        handle = ctypes.c_void_p()
        assert runtime.cudaStreamCreate(ctypes.byref(handle)) == 0
        external = torch.cuda.ExternalStream(handle.value)
        seconds("default stream beside a blocking stream", external, torch.cuda.default_stream())
    except Exception as error:
        out(blocking_stream=repr(error))
    cases = ("side waits for other", "queue_all: side waits for main", "default stream beside a blocking stream")
    return any(numbers.get(c, 0) > 0.05 for c in cases) and numbers["control"] < 0.05, numbers


try:
    finish(*main())
except Exception as error:
    import traceback
    out(error=traceback.format_exc()[-1500:])
    finish(False, {"error": repr(error)})
