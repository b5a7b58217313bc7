"""Reused memory: other sizes, and each fix, behind a held stream. Is 'the next tensor gets the same memory' general?

Expect: wrong when dropped, at 4 KiB as at 64 MiB; record_stream and waiting never wrong; the waiting fix without its wait
is the wrong one. Also an event instead of wait_stream, and record_stream called on a view. Refutes: any wrong with a fix.
"""
import json
import torch

here, side = torch.cuda.current_stream(), torch.cuda.Stream()
H = 15_000_000


def run(count, fix):
    ones, twos = torch.ones(count, pin_memory=True), torch.full((count,), 2.0, pin_memory=True)

    def fetch(host):
        with torch.cuda.stream(side):
            batch = host.to("cuda", non_blocking=True)
        here.wait_stream(side)
        return batch

    wrong = reused = 0
    for i in range(6):
        torch.cuda.synchronize()
        batch = fetch(ones)
        at = batch.data_ptr()
        if fix == "record":
            batch.record_stream(here)
        if fix == "record_view":
            batch[1:2].record_stream(here)
        torch.cuda._sleep(H)
        total = batch.sum()
        if fix == "event":
            done = here.record_event()
            side.wait_event(done)
        del batch
        if fix == "wait":
            side.wait_stream(here)
        if fix == "keep":
            pass
        new = fetch(twos)
        if i:
            reused += new.data_ptr() == at
            wrong += bool(total != count)
    return {"wrong": wrong, "reused": reused, "of": 5}


for count in (2**10, 2**18, 2**19, 2**21, 2**22, 2**24):
    for fix in ("none", "record", "record_view", "wait", "event"):
        try:
            print(json.dumps({"case": "reuse", "floats": count, "fix": fix, **run(count, fix)}), flush=True)
        except Exception as e:
            print(json.dumps({"case": "reuse", "error": repr(e)[:200]}), flush=True)
