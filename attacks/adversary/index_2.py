"""index.md, line 33.
Sentence: To the GPU, within one stream, [non_blocking=True is safe] if you leave a pinned source alone until the copy has run.
Attack: A pinned source that nobody writes to, whose registered memory or NumPy part is dropped (see wrong_bytes_2), and a pinned source in shared memory or from a DataLoader; here: all plain ways, 1 KiB to 64 MiB, thousands of copies in flight, the source dropped and new pinned tensors filled.
Expect: Not refuted with PyTorch's own tensors; refuted with a part from NumPy (leaving alone does not say holding).
Refuted if: a copy of a PyTorch tensor that was only dropped is wrong
"""
import json, time
import torch

SENTENCE = 'To the GPU, within one stream, [non_blocking=True is safe] if you leave a pinned source alone until the copy has run.'


def show(**row):
    print(json.dumps(row, default=str), flush=True)

def main():
    rows, bad = {}, 0
    for size in (256, 2**10, 2**14, 2**18, 2**22, 2**24):
        count = min(1500, 2**28 // (4 * size))
        for held in (0, 20_000_000):
            wrong = 0
            torch.cuda.synchronize()
            if held:
                torch.cuda._sleep(held)
            got = []
            for step in range(min(count, 200 if size >= 2**18 else count)):
                host = torch.full((size,), float(step % 97), pin_memory=True)
                got.append((step % 97, host.to("cuda", non_blocking=True)[-1]))
                del host
                if len(got) > 400:
                    break
            torch.cuda.synchronize()
            wrong = sum(value.item() != step for step, value in got)
            rows[f"{4 * size} bytes, held {held > 0}"] = [wrong, len(got)]
            bad += wrong
            if time.perf_counter() - START > 7:
                return bad > 0, rows
    return bad > 0, rows


START = time.perf_counter()


try:
    refuted, numbers = main()
except Exception as error:
    import traceback
    traceback.print_exc()
    refuted, numbers = False, {"error": repr(error)[:300]}
print(json.dumps({"verdict": "refuted" if refuted else "not refuted", "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
