"""
Sentence (execution/timing.md:328): then every operation loads its kernels when it is called for the first time.

Attack: First calls of operations that share kernels with an operation already called: sub after add, __rsub__, negative after neg, matmul after mm of the same shape, arctan after atan, zeros_like/fill_ after full, flip-free views; and steady state: a SECOND call with another dtype. First-call time over the later median.

Expected: sub after add, aliases (negative, arctan, absolute, clip), and views load nothing: their first call costs below 5 times a later one; a second call in a new dtype loads again.

Refuted if: at least 2 operations that are no mere alias and no view (of sub, rsub, matmul, linear, zeros_like, ones_like) take, on their very first call, less than 5 times the median of later calls.
"""
import json
import time

import torch

SENTENCE = 'then every operation loads its kernels when it is called for the first time.'


def say(**row):
    print(json.dumps(row, default=str), flush=True)


from statistics import median


def seconds(work):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    work()
    torch.cuda.synchronize()
    return time.perf_counter() - begin


def attack():
    x = torch.full((1000,), 0.5, device="cuda")
    y = torch.full((1000,), 0.25, device="cuda")
    m = torch.full((128, 128), 0.5, device="cuda")
    until = time.perf_counter() + 0.3
    while time.perf_counter() < until:
        torch.cuda._sleep(100_000)
        torch.cuda.synchronize()
    # what loads for the others
    for work in (lambda: x + y, lambda: torch.neg(x), lambda: torch.atan(x), lambda: torch.abs(x),
                 lambda: torch.clamp(x, 0.1, 0.4), lambda: torch.mm(m, m), lambda: x * y):
        for _ in range(3):
            seconds(work)
    first = {
        "sub": lambda: torch.sub(x, y), "subtract": lambda: torch.subtract(x, y),
        "negative": lambda: torch.negative(x), "arctan": lambda: torch.arctan(x), "absolute": lambda: torch.absolute(x),
        "clip": lambda: torch.clip(x, 0.1, 0.4), "matmul": lambda: torch.matmul(m, m), "multiply": lambda: torch.multiply(x, y),
        "zeros_like": lambda: torch.zeros_like(x), "ones_like": lambda: torch.ones_like(x), "rsub": lambda: torch.rsub(x, y),
        "linear": lambda: torch.nn.functional.linear(m, m.t()), "view": lambda: x.view(10, 100), "transpose": lambda: m.t(),
        "unbind": lambda: m.unbind(), "relu (new)": lambda: torch.relu(x), "sin (new)": lambda: torch.sin(x),
    }
    ratios = {}
    for name, work in first.items():
        once, later = seconds(work), median(seconds(work) for _ in range(7))
        ratios[name] = round(once / later, 1)
        say(operation=name, first_us=round(once * 1e6, 1), later_us=round(later * 1e6, 1), ratio=ratios[name])
    h = x.half()
    torch.cuda.synchronize()
    once, later = seconds(lambda: torch.sin(h)), median(seconds(lambda: torch.sin(h)) for _ in range(7))
    say(operation="sin, a later call, in a new dtype", first_us=once * 1e6, ratio=round(once / later, 1))
    aliases = ("subtract", "negative", "arctan", "absolute", "clip", "multiply")
    cheap = [n for n, r in ratios.items() if r < 5 and "new" not in n and n not in ("view", "transpose", "unbind", *aliases)]
    return len(cheap) >= 2, {"first_calls_that_load_nothing": cheap, "ratios": ratios, "second_call_new_dtype_ratio": round(once / later, 1)}


if __name__ == "__main__":
    try:
        refuted, numbers = attack()
        verdict = "refuted" if refuted else "not refuted"
    except Exception as error:  # the attack failed: it decides nothing
        verdict, numbers = "not refuted", {"failed": f"{type(error).__name__}: {str(error)[:300]}"}
    print(json.dumps({"verdict": verdict, "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
