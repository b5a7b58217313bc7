"""non_blocking.md, line 287.
Sentence: A call from pageable memory that returned early had taken its bytes along.
Attack: Every size from 1 byte to 2 MiB instead of 1 MiB alone, unaligned source, several calls in flight, a side stream, and large copies on an idle GPU: overwritten as soon as the call returns.
Expect: Not refuted: staged at the call.
Refuted if: any copy gives a byte that was written after the call returned
"""
import json, time
import torch

SENTENCE = 'A call from pageable memory that returned early had taken its bytes along.'


def show(**row):
    print(json.dumps(row, default=str), flush=True)

def main():
    rows = []
    total_wrong = 0
    largest = 2**26
    source_all = torch.zeros(largest + 64, dtype=torch.uint8)
    gpu = torch.zeros(largest, dtype=torch.uint8, device="cuda")
    side = torch.cuda.Stream()
    released = torch.cuda.Event()

    def attempt(size, offset, held, stream, calls=1):
        source = source_all[offset : offset + size * calls]
        source.zero_()
        torch.cuda.synchronize()
        with torch.cuda.stream(stream):
            if held:
                torch.cuda._sleep(10_000_000)
            released.record()
            for i in range(calls):
                gpu[i * size : (i + 1) * size].copy_(source[i * size : (i + 1) * size], non_blocking=True)
            early = not released.query()
            source.fill_(1)
        torch.cuda.synchronize()
        return bool(gpu[: size * calls].any()), early

    here = torch.cuda.current_stream()
    attempt(1024, 0, True, side), attempt(1024, 0, True, here)
    for size in (1, 7, 64, 1024, 4096, 16384, 65535, 65536, 65537, 131072, 524288, 2**20, 3 * 2**19, 2**21):
        for offset in (0, 3):
            for stream, name in ((here, "here"), (side, "side")):
                tries = [attempt(size, offset, True, stream) for _ in range(4)]
                wrong = sum(w for w, _ in tries)
                total_wrong += wrong
                rows.append((size, offset, name, wrong, sum(e for _, e in tries)))
    show(size_offset_stream_wrong_early=rows)
    many = [attempt(65536, 0, True, here, 60) for _ in range(4)] + [attempt(2**20, 0, True, here, 2) for _ in range(4)] + [attempt(512, 0, True, here, 900) for _ in range(4)]
    idle = [attempt(size, 0, False, here) for size in (2**22, 2**24, 2**26) for _ in range(6)]
    numbers = {"held": total_wrong, "many_wrong_early": [sum(w for w, _ in many), sum(e for _, e in many)], "idle_wrong": sum(w for w, _ in idle), "of": [len(rows) * 4, len(many), len(idle)]}
    return total_wrong + numbers["many_wrong_early"][0] + numbers["idle_wrong"] > 0, numbers


try:
    refuted, numbers = main()
except Exception as error:
    import traceback
    traceback.print_exc()
    refuted, numbers = False, {"error": repr(error)[:300]}
print(json.dumps({"verdict": "refuted" if refuted else "not refuted", "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
