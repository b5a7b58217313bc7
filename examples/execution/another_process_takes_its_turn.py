"""
Another process takes its turn
==============================

What does a second process on the same GPU do to the speed of the first? While it computes, the
two take turns: large work takes longer, and even a tiny kernel waits for its turn. While it is
idle, it costs no time.
"""

# sphinx_gallery_evidence = {"expected_warnings": ["This process"]}
import time
from multiprocessing import Pipe, get_context

import torch

# %%
# The other process is forked before CUDA is used, and does what it is told until the next word.

SIZE = 4096  # rows of the matrices: a product takes milliseconds in FP32


def obey(pipe):
    a = torch.randn(SIZE, SIZE, device="cuda")
    for word in iter(pipe.recv, "end"):
        a @ a
        torch.cuda.synchronize()
        pipe.send(word)
        while word == "work" and not pipe.poll():
            a @ a
            torch.cuda.synchronize()


pipe, other_end = Pipe()
other = get_context("fork").Process(target=obey, args=(other_end,))
other.start()


def tell(word):
    pipe.send(word)
    return pipe.recv()


# %%
# Time a few products, and tiny kernels one by one, each until it is done.

a, tiny = torch.randn(SIZE, SIZE, device="cuda"), torch.zeros(1, device="cuda")


def seconds(work, calls):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(calls):
        work()
        torch.cuda.synchronize()
    return (time.perf_counter() - begin) / calls


def both():
    return seconds(lambda: a @ a, 5), seconds(lambda: tiny.add_(1), 20)


tell("rest")
warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    both()

# %%
# Alternately with the other process busy and idle. The first two idle rounds are compared with
# each other, as a check of the method.

ROUNDS = 6
pairs, idle = [], []
for _ in range(ROUNDS):
    tell("rest")
    first, again = both(), both()
    tell("work")
    pairs.append((first, both()))
    idle.append(again[0] / first[0])
pipe.send("end")
other.join()
print(f"last round: {pairs[-1]}")

# %%
# How much longer the product and the tiny kernel take beside the busy process.

measured = {
    "product_slowdown": {"samples": [busy[0] / free[0] for free, busy in pairs]},
    "tiny_slowdown": {"samples": [busy[1] / free[1] for free, busy in pairs]},
    "idle_ratio": {"samples": idle},
}
