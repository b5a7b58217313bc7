"""docs/execution/asynchronous.md: "Another stream has a queue of its own" / "A stream's queue has about a thousand places".
Attack: 32 streams, not one, each filled with 900 launches behind the same held stream; and 8 streams with CUDA_DEVICE_MAX_CONNECTIONS=1.
Refuted if, after other streams have been filled, a launch waits in a stream that has taken fewer than 900."""
import json
import os
import time

import torch

def forked(function, **environment):
    """The result of function in a forked process with these variables (CUDA is not yet used here)."""
    r, w = os.pipe()
    if os.fork() == 0:
        os.close(r)
        os.environ.update(environment)
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, 2)
        try:
            out = function()
        except BaseException as error:
            out = {"failed": f"{type(error).__name__}: {error}".splitlines()[0][:150]}
        os.write(w, json.dumps(out).encode())
        os._exit(0)
    os.close(w)
    return os.fdopen(r)


def result(pipe):
    return json.loads(pipe.read())


def fill(number):
    def run():
        streams = [torch.cuda.Stream() for _ in range(number)]
        small, held = torch.zeros(1, device="cuda"), torch.cuda.Event()
        for stream in streams:
            with torch.cuda.stream(stream):
                small.add_(1)
        torch.cuda.synchronize()
        torch.cuda._sleep(1_600_000_000)
        held.record()
        counts, longest = [], 0.0
        for stream in streams:
            stream.wait_event(held)
            with torch.cuda.stream(stream):
                for place in range(900):
                    begin = time.perf_counter()
                    small.add_(1)
                    longest = max(longest, time.perf_counter() - begin)
                    if longest > 0.1 or held.query():
                        counts.append(place)
                        return {"full": counts[:-1], "stopped": place, "longest": longest, "held over": held.query()}
            counts.append(900)
        over = held.query()
        torch.cuda.synchronize()
        return {"full": counts, "stopped": None, "longest": longest, "held over": over}

    return run


cases = {
    "32 streams": result(forked(fill(32))),
    "8 streams, one connection": result(forked(fill(8), CUDA_DEVICE_MAX_CONNECTIONS="1")),
}
bad = []
for name, row in cases.items():
    print(name, row)
    assert "failed" not in row, row
    if row["stopped"] is not None and row["longest"] > 0.1:
        bad.append(f"{name}: a launch waited {row['longest']:.2f} s in stream {len(row['full']) + 1} after {row['stopped']} launches")
    elif row["stopped"] is not None:
        raise SystemExit("the hold was over before the queues were full: no verdict")
print(f"REFUTED: {bad}" if bad else "NOT REFUTED: 900 launches returned in each of 32 streams, and of 8 with one connection")
