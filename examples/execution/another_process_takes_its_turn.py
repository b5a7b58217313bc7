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
# Alternately with the other process idle and busy, and then as often without it.

ROUNDS = 6
pairs = []
for _ in range(ROUNDS):
    tell("rest")
    idle = both()
    tell("work")
    pairs.append((idle, both()))
pipe.send("end")
other.join()
alone = [both() for _ in range(ROUNDS)]
print(f"idle and busy in the last round: {pairs[-1]}, alone: {alone[-1]}")

# %%
# How much longer the product and the tiny kernel take beside the busy process, and how much
# longer the product takes beside the idle one than alone.

measured = {
    "product_slowdown": {"samples": [busy[0] / idle[0] for idle, busy in pairs]},
    "tiny_slowdown": {"samples": [busy[1] / idle[1] for idle, busy in pairs]},
    "idle_ratio": {"samples": [p[0][0] / a[0] for p, a in zip(pairs, alone)]},
}
