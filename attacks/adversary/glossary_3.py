"""glossary.md, line 47.
Sentence: Recorded work that is launched again as a whole, at the cost of one launch.
Attack: Graphs of 1, 10, 100, 1000 and 4000 kernels: host time of replay() against that of one kernel's launch.
Expect: Refuted: replay() costs several launches of one kernel, and more with more kernels.
Refuted if: replay() of 1000 kernels takes the host at least 2 times as long as one launch of such a kernel (median of 20, on an idle stream)
"""
import json, time
import torch

SENTENCE = 'Recorded work that is launched again as a whole, at the cost of one launch.'


def show(**row):
    print(json.dumps(row, default=str), flush=True)

from statistics import median


def main():
    x = torch.zeros(1024, device="cuda")

    def seconds(call):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        call()
        return time.perf_counter() - begin

    for _ in range(50):
        x.add_(1)
    one = median(seconds(lambda: x.add_(1)) for _ in range(50))
    rows = {"one_launch_us": round(one * 1e6, 2)}
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        x.add_(1)
    torch.cuda.synchronize()
    ratio = 0
    for count in (1, 10, 100, 1000, 4000):
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            for _ in range(count):
                x.add_(1)
        for _ in range(3):
            graph.replay()
        taken = median(seconds(graph.replay) for _ in range(20))
        rows[f"replay_{count}_us"] = round(taken * 1e6, 2)
        if count == 1000:
            ratio = taken / one
    return ratio >= 2, {**rows, "ratio_1000": round(ratio, 2)}


try:
    refuted, numbers = main()
except Exception as error:
    import traceback
    traceback.print_exc()
    refuted, numbers = False, {"error": repr(error)[:300]}
print(json.dumps({"verdict": "refuted" if refuted else "not refuted", "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
