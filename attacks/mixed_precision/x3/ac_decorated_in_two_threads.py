"""autocast.md: "As a decorator, autocast covers the calls of a function: inside, a product is in [bfloat16], and afterwards in
[float32]" (and "without a recursive call in 0 of 20" tries it stays on).
Attack: no recursion, but two threads call the decorated function at once: the first outside any block, the second inside a
block of its own. The decorator is one instance, so each overwrites what the other is to restore.
Refuted if a product after the call is in BF16 in the first thread, or in FP32 in the rest of the second thread's block."""
import threading
import torch

dev = "cuda" if torch.cuda.is_available() else "cpu"
x, y = torch.randn(2, 8, 8, device=dev)
TRIES = 20


def attempt(order):
    first_in, second_in, first_out = threading.Event(), threading.Event(), threading.Event()
    seen = {}

    @torch.autocast(dev, dtype=torch.bfloat16)
    def decorated(enter, wait):
        enter.set()
        assert wait.wait(5)
        return (x @ y).dtype

    def plain():
        if order == "block first":
            assert second_in.wait(5)
        seen["inside"] = decorated(first_in, second_in)
        seen["plain thread, afterwards"] = (x @ y).dtype
        first_out.set()

    def in_a_block():
        with torch.autocast(dev, dtype=torch.bfloat16):
            if order == "plain first":
                assert first_in.wait(5)
            decorated(second_in, first_out if order == "plain first" else first_in)
            seen["rest of the block"] = (x @ y).dtype

    threads = [threading.Thread(target=t) for t in (plain, in_a_block)]
    [t.start() for t in threads]
    [t.join(6) for t in threads]
    assert len(seen) == 3, seen
    return seen


left_on = switched_off = 0
for order in ("plain first", "block first"):
    for _ in range(TRIES):
        seen = attempt(order)
        left_on += seen["plain thread, afterwards"] is not torch.float32
        switched_off += seen["rest of the block"] is not torch.bfloat16
    print(order, seen, "left on so far", left_on, "switched off so far", switched_off)
if left_on or switched_off:
    print(f"REFUTED: two threads in one decorated function: left on in {left_on}, block switched off in {switched_off} of {2 * TRIES}")
else:
    print(f"NOT REFUTED: {2 * TRIES} tries with two threads in one decorated function")
