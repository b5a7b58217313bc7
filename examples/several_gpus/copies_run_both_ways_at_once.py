"""
Copies run both ways at once
============================

Does a copy between GPUs slow anything else down? Two copies in opposite directions take about as
long as one, and a copy beside a matrix product costs little, where each is in a stream of its own.
Two copies in the same direction gain little.
"""

# sphinx_gallery_evidence = {"gpus": 2}
import random
import time

import torch

first, second = torch.device("cuda", 0), torch.device("cuda", 1)
SIZE = 2**28  # bytes: large enough that the link takes the time
x, y = (torch.ones(SIZE, dtype=torch.uint8, device=gpu) for gpu in (first, second))
from_first, from_second = torch.zeros_like(y), torch.zeros_like(x)
lanes = [(torch.cuda.Stream(first), torch.cuda.Stream(second)) for _ in range(2)]


def copy(target, source, lane):
    with torch.cuda.stream(lanes[lane][0]), torch.cuda.stream(lanes[lane][1]):
        target.copy_(source, non_blocking=True)


for gpu in (first, second):
    torch.cuda.synchronize(gpu)  # the tensors are ready
copy(from_first, x, 0)
copy(from_second, y, 1)  # at the same time
for gpu in (first, second):
    torch.cuda.synchronize(gpu)
print(from_first[-1].item(), from_second[-1].item())

# %%
# A copy waits for the current stream of each GPU. Copies that are to run at the same time
# therefore need a stream on either GPU that the other copy does not use: a lane of their own.

again = torch.empty_like(from_first)
two = [lambda: copy(from_first, x, 0)] * 2
a, b = (torch.randn(8192, 8192, device=first, dtype=torch.bfloat16) for _ in range(2))


def multiply():
    a @ b  # in the default stream of the first GPU


WAYS = {
    "one": [lambda: copy(from_first, x, 0)],
    "one back": [lambda: copy(from_second, y, 1)],
    "opposite": [lambda: copy(from_first, x, 0), lambda: copy(from_second, y, 1)],
    "same direction": [lambda: copy(from_first, x, 0), lambda: copy(again, x, 1)],
    "one lane": [lambda: copy(from_first, x, 0), lambda: copy(from_second, y, 0)],
    "two": two,
    "product": [multiply],
    "product and copies": [multiply, *two],
}


def seconds(calls):
    for gpu in (first, second):
        torch.cuda.synchronize(gpu)
    begin = time.perf_counter()
    for call in calls:
        call()
    for gpu in (first, second):
        torch.cuda.synchronize(gpu)
    return time.perf_counter() - begin


# %%
# The ways take turns, in another order in each round, after a warm-up of fixed length. Each ratio
# is one of times from the same round.

ROUNDS = 10
warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    for calls in WAYS.values():
        seconds(calls)
taken, order = {way: [] for way in WAYS}, random.Random(0)
for _ in range(ROUNDS):
    for way in order.sample(list(WAYS), len(WAYS)):
        taken[way].append(seconds(WAYS[way]))


def ratio(way, *others):
    rounds = zip(taken[way], *(taken[other] for other in others))
    return {"samples": [one / sum(rest) for one, *rest in rounds]}


# %%
# And do the two GPUs run at the same speed? Each multiplies the same numbers; either goes first.

pairs = {gpu: (a.to(gpu), b.to(gpu)) for gpu in (first, second)}


def product_s(gpu):
    left, right = pairs[gpu]
    return seconds([lambda: [left @ right for _ in range(3)]])


turns = [(first, second), (second, first)] * (ROUNDS // 2 + 1)
took = [{gpu: product_s(gpu) for gpu in turn} for turn in turns][2:]
measured = {
    "size_bytes": SIZE,
    "opposite_ratio": ratio("opposite", "one"),
    "opposite_to_sum_ratio": ratio("opposite", "one", "one back"),
    "back_to_there_ratio": ratio("one back", "one"),
    "same_direction_ratio": ratio("same direction", "one"),
    "one_lane_ratio": ratio("one lane", "one"),
    "hidden_ratio": ratio("product and copies", "product", "two"),
    "copies_per_product": ratio("two", "product"),
    "gpu_ratio": {"samples": [each[first] / each[second] for each in took]},
    "there_bytes_per_s": {"samples": [SIZE / s for s in taken["one"]]},
    "back_bytes_per_s": {"samples": [SIZE / s for s in taken["one back"]]},
}
print({name: value for name, value in measured.items() if name.endswith("ratio")})
