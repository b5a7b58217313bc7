"""
Sentence (execution/timing.md:386): So call everything once before you time it or look for a race in it [with 'The second calls do not wait for it'].

Attack: Call each operation once, in one shape and dtype, then a second time in another (dtype, size, layout, odd size, reduction over another dimension) behind a held stream, as in the page's own script: does this later call wait for the GPU? Control: the third call, equal to the second, does not.

Expected: a second call in another dtype or shape loads another kernel and waits for the GPU in several cases: one call is not enough.

Refuted if: at least 2 later calls (the operation was called before) did not return before half of the held time while their repetition did.
"""
import json
import time

import torch

SENTENCE = "So call everything once before you time it or look for a race in it [with 'The second calls do not wait for it']."


def say(**row):
    print(json.dumps(row, default=str), flush=True)



def attack():
    x = torch.rand(1000, device="cuda")
    m = torch.rand(64, 64, device="cuda")
    big = torch.rand(1024, 1024, device="cuda")
    h, d, i = x.half(), x.double(), torch.arange(1000, device="cuda")
    odd = torch.rand(1001, device="cuda")[1:]
    img = torch.rand(2, 8, 16, 16, device="cuda")
    until = time.perf_counter() + 0.3
    while time.perf_counter() < until:
        torch.cuda._sleep(100_000)
        torch.cuda.synchronize()
    pairs = {
        "exp: float, half": (lambda: torch.exp(x), lambda: torch.exp(h)),
        "sin: float, double": (lambda: torch.sin(x), lambda: torch.sin(d)),
        "tanh: float, not contiguous": (lambda: torch.tanh(x), lambda: torch.tanh(m.t()[::2])),
        "sqrt: aligned, odd": (lambda: torch.sqrt(x), lambda: torch.sqrt(odd)),
        "sum: all, dim 0": (lambda: big.sum(), lambda: big.sum(0)),
        "sum: small, large": (lambda: x.sum(dtype=torch.double), lambda: big.double().sum()),
        "sort: 1000, 1024x1024": (lambda: x.sort(), lambda: big.sort()),
        "softmax: 64, 1024": (lambda: m.softmax(1), lambda: big.softmax(1)),
        "mm: 64, 1024": (lambda: m @ m, lambda: big @ big),
        "mm: float, half": (lambda: m @ m, lambda: big.half() @ big.half()),
        "cumsum: float, int": (lambda: x.cumsum(0), lambda: i.cumsum(0)),
        "cat: 2, 70": (lambda: torch.cat([x, x]), lambda: torch.cat([m] * 70)),
        "index: 1, 2": (lambda: x[i], lambda: m[i % 64, i % 64]),
        "mean: rows, images": (lambda: m.mean(1), lambda: img.mean((0, 2, 3))),
    }
    # the casts that the second calls use
    big.double(), big.half(), i % 64
    torch.cuda.synchronize()

    def waits(work):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        torch.cuda._sleep(30_000_000)
        work()
        returned = time.perf_counter() - begin
        torch.cuda.synchronize()
        return returned > 0.5 * (time.perf_counter() - begin)

    waited = []
    for name, (one, other) in pairs.items():
        try:
            one()
            second, third = waits(other), waits(other)
        except RuntimeError as error:
            say(pair=name, error=str(error)[:100])
            continue
        say(pair=name, second_waits=second, third_waits=third)
        if second and not third:
            waited.append(name)
    return len(waited) >= 2, {"second_calls_that_waited": waited, "pairs": len(pairs)}


if __name__ == "__main__":
    try:
        refuted, numbers = attack()
        verdict = "refuted" if refuted else "not refuted"
    except Exception as error:  # the attack failed: it decides nothing
        verdict, numbers = "not refuted", {"failed": f"{type(error).__name__}: {str(error)[:300]}"}
    print(json.dumps({"verdict": verdict, "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
