"""glossary.md, line 37.
Sentence: A mark in a stream. Another stream or the host can wait for it, and two of them give the time between them on the GPU.
Attack: Two events as made by default (torch.cuda.Event(), stream.record_event()).
Expect: Refuted as it stands: without enable_timing=True, elapsed_time raises.
Refuted if: elapsed_time of two default events raises
"""
import json, time
import torch

SENTENCE = 'A mark in a stream. Another stream or the host can wait for it, and two of them give the time between them on the GPU.'


def show(**row):
    print(json.dumps(row, default=str), flush=True)

def main():
    rows = {}
    first, second = torch.cuda.Event(), torch.cuda.Event()
    first.record(), second.record()
    torch.cuda.synchronize()
    try:
        rows["default"] = first.elapsed_time(second)
    except Exception as error:
        rows["default"] = repr(error)[:160]
    try:
        a, b = torch.cuda.current_stream().record_event(), torch.cuda.current_stream().record_event()
        torch.cuda.synchronize()
        rows["record_event"] = a.elapsed_time(b)
    except Exception as error:
        rows["record_event"] = repr(error)[:160]
    return isinstance(rows["default"], str) and isinstance(rows["record_event"], str), rows


try:
    refuted, numbers = main()
except Exception as error:
    import traceback
    traceback.print_exc()
    refuted, numbers = False, {"error": repr(error)[:300]}
print(json.dumps({"verdict": "refuted" if refuted else "not refuted", "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
