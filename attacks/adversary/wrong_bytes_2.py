"""wrong_bytes.md, line 543.
Sentence: Within one stream, copies and kernels keep their order: a program that uses no stream but the default one can make only the two mistakes of the host.
Attack: A program that uses the default stream alone, and neither reads a result nor writes to a source: it drops a part of a pinned tensor that went through NumPy or DLPack, and makes another pinned tensor; and it unregisters and frees memory (not done here). The page's own hazard part-from-numpy-is-overwritten is such a program.
Expect: Refuted (also by reading: lines 562-575 and 599 of the same page).
Refuted if: the bytes on the GPU are those of another tensor in at least 4 of 5 tries in which the program never wrote to the source nor read a result early
"""
import json, time
import torch

SENTENCE = 'Within one stream, copies and kernels keep their order: a program that uses no stream but the default one can make only the two mistakes of the host.'


def show(**row):
    print(json.dumps(row, default=str), flush=True)

def main():
    count, rows = 2**20, {}
    ways = {"numpy-part": lambda t: torch.from_numpy(t.numpy()[1024:]), "dlpack-part": lambda t: torch.from_dlpack(t[1024:]), "own-part": lambda t: t[1024:]}
    for name, make in ways.items():
        wrong = 0
        for cycles in (1000, *[20_000_000] * 5):
            host = make(torch.zeros(count, pin_memory=True))
            torch.cuda.synchronize()
            torch.cuda._sleep(cycles)
            gpu = host.to("cuda", non_blocking=True)
            del host
            other = torch.ones(count, pin_memory=True)  # a new tensor: its own first values
            torch.cuda.synchronize()
            wrong += cycles > 1000 and bool(gpu.any())
            del other
        rows[name] = wrong
    return max(rows["numpy-part"], rows["dlpack-part"]) >= 4, rows


try:
    refuted, numbers = main()
except Exception as error:
    import traceback
    traceback.print_exc()
    refuted, numbers = False, {"error": repr(error)[:300]}
print(json.dumps({"verdict": "refuted" if refuted else "not refuted", "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
