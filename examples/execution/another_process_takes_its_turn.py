"""
Another process takes its turn
==============================

What does a second process on the same GPU do to the speed of the first? While it computes, the
two take turns: even a kernel of a single thread takes the whole GPU away, and even a tiny kernel
waits for its turn. While the second process is idle, it costs hardly any time.
"""

# sphinx_gallery_evidence = {"expected_warnings": ["This process"]}
import time
from multiprocessing import Pipe, get_context

import torch

# %%
# The other process is forked before CUDA is used, and does what it is told until the next word:
# large products, or kernels of one thread that only sleep. (``_sleep`` is private to PyTorch and
# may change.)

SIZE = 4096  # rows of the matrices: a product takes milliseconds in FP32
HOLD = 5_000_000  # cycles of the GPU's clock, about as long


def obey(pipe):
    pipe.recv()  # until here, it does not use the GPU
    a = torch.randn(SIZE, SIZE, device="cuda")
    works = {"multiply": lambda: a @ a, "sleep": lambda: torch.cuda._sleep(HOLD)}
    pipe.send("ready")
    for word in iter(pipe.recv, "end"):
        for work in works.values():  # loads the kernels at the first word
            work()
        torch.cuda.synchronize()
        pipe.send(word)
        while word in works and not pipe.poll():
            works[word]()
            torch.cuda.synchronize()


pipe, other_end = Pipe()
other = get_context("fork").Process(target=obey, args=(other_end,))
other.start()


def tell(word):
    pipe.send(word)
    return pipe.recv()


# %%
# Time a few products, and time tiny kernels one by one, each until it is done.

a, tiny = torch.randn(SIZE, SIZE, device="cuda"), torch.zeros(1, device="cuda")


def seconds(work, calls):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(calls):
        work()
        torch.cuda.synchronize()
    return (time.perf_counter() - begin) / calls


def both():
    return seconds(lambda: a @ a, 5), seconds(lambda: tiny.add_(1), 10)


warm_until = time.perf_counter() + 0.2
while time.perf_counter() < warm_until:
    both()

# %%
# Before the other process uses the GPU; beside it, idle or busy, in an order that turns round
# with each round; and after its end.

ROUNDS = 5
WORDS = "rest", "multiply", "sleep"
before = [both() for _ in range(ROUNDS)]
tell("begin")
rounds = []
for number in range(ROUNDS):
    words = WORDS if number % 2 else WORDS[::-1]
    rounds.append({word: (tell(word), both())[1] for word in words})
pipe.send("end")
other.join()
after = [both() for _ in range(ROUNDS)]
print(f"the last round: {rounds[-1]}, after it: {after[-1]}")

# %%
# How many times as long does the product take beside the busy process, and beside the idle one,
# compared with the mean of before and after? How long does the tiny kernel take until it is done?


def slowdown(word):
    return {"samples": [times[word][0] / times["rest"][0] for times in rounds]}


alone = [(first[0] + last[0]) / 2 for first, last in zip(before, after)]
measured = {
    "product_slowdown": slowdown("multiply"),
    "product_beside_one_thread": slowdown("sleep"),
    "idle_ratio": {"samples": [r["rest"][0] / one for r, one in zip(rounds, alone)]},
    "tiny_beside_s": {"samples": [times["multiply"][1] for times in rounds]},
    "tiny_alone_s": {"samples": [times["rest"][1] for times in rounds]},
}
