"""non_blocking.md, line 278.
Sentence: Into pageable memory even the first call waits (line 6: into pageable memory no copy does [return before it is done]).
Attack: Other sizes than 1 KiB and 4 MiB: 1 byte, 4 bytes, 64 KiB, 64 KiB + 1, 1 MiB; a 0-dim tensor, bool, a strided target, with a cast; from a side stream.
Expect: Not refuted.
Refuted if: any call returns while the stream is held
"""
import json, time
import torch

SENTENCE = 'Into pageable memory even the first call waits (line 6: into pageable memory no copy does [return before it is done]).'


def show(**row):
    print(json.dumps(row, default=str), flush=True)

def main():
    released = torch.cuda.Event()
    side, here = torch.cuda.Stream(), torch.cuda.current_stream()
    gpu = torch.ones(2**22, dtype=torch.uint8, device="cuda")
    host = torch.zeros(2**22, dtype=torch.uint8)
    cases = {f"{n} bytes": (host[:n], gpu[:n]) for n in (1, 4, 64, 4096, 2**16, 2**16 + 1, 2**17, 2**20, 2**22)}
    cases["0-dim"] = torch.zeros(()), torch.ones((), device="cuda")
    cases["bool"] = torch.zeros(10, dtype=torch.bool), torch.ones(10, dtype=torch.bool, device="cuda")
    cases["strided"] = host[::2][:1000], gpu[:1000]
    cases["strided_source"] = host[:1000], gpu[::2][:1000]
    cases["cast"] = torch.zeros(1000), gpu[:1000]
    cases["cast_large"] = torch.zeros(2**20), gpu[: 2**20]
    rows = {}
    for name, (target, source) in cases.items():
        count = 0
        for stream in (here, side):
            for cycles in (1000, 10_000_000, 10_000_000):
                torch.cuda.synchronize()
                with torch.cuda.stream(stream):
                    torch.cuda._sleep(cycles)
                    released.record()
                    target.copy_(source, non_blocking=True)
                    if cycles > 1000:
                        count += not released.query()
        rows[name] = count
    return any(rows.values()), rows


try:
    refuted, numbers = main()
except Exception as error:
    import traceback
    traceback.print_exc()
    refuted, numbers = False, {"error": repr(error)[:300]}
print(json.dumps({"verdict": "refuted" if refuted else "not refuted", "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
