"""glossary.md, line 78.
Sentence: Work in two runs in any order, unless one waits for the other by an event, or the host waits in between.
Attack: A stream that was made with cudaStreamCreate (not cudaStreamNonBlocking), taken as torch.cuda.ExternalStream, beside the legacy default stream, which is PyTorch's default: they wait for each other without any event. Control: a stream of PyTorch's own.
Expect: Refuted for streams made outside of PyTorch.
Refuted if: work in the external stream begins only after the held default stream in 5 of 5 tries, and in PyTorch's own stream before it
"""
import json, time
import torch

SENTENCE = 'Work in two runs in any order, unless one waits for the other by an event, or the host waits in between.'


def show(**row):
    print(json.dumps(row, default=str), flush=True)

import ctypes


def main():
    handle = ctypes.c_uint64(0)
    result = torch.cuda.cudart().cudaStreamCreate(ctypes.addressof(handle))
    outside, own, here = torch.cuda.ExternalStream(handle.value), torch.cuda.Stream(), torch.cuda.default_stream()
    x = torch.zeros(1024, device="cuda")
    rows = {}
    for name, stream in {"outside": outside, "own": own}.items():
        waited = 0
        for cycles in (1000, *[40_000_000] * 5):
            torch.cuda.synchronize()
            torch.cuda._sleep(cycles)
            released = here.record_event()
            with torch.cuda.stream(stream):
                x.add_(1)
                done = stream.record_event()
            until = time.perf_counter() + 0.005
            while time.perf_counter() < until and not done.query():
                pass
            if cycles > 1000:
                waited += not done.query() and not released.query()
        torch.cuda.synchronize()
        rows[name] = waited
    return rows["outside"] == 5 and rows["own"] == 0, {"create": str(result), "not_begun_while_default_held_of_5": rows}


try:
    refuted, numbers = main()
except Exception as error:
    import traceback
    traceback.print_exc()
    refuted, numbers = False, {"error": repr(error)[:300]}
print(json.dumps({"verdict": "refuted" if refuted else "not refuted", "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
