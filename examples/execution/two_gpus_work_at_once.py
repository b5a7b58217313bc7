"""
Two GPUs work at once
=====================

Can one thread keep two GPUs busy? It can, without doing anything special: a call returns before its
work is done, and the next call may be for another GPU. Both finish in the time of one.
"""

# sphinx_gallery_evidence = {"gpus": 2}
import time

import torch

first, second = "cuda:0", "cuda:1"

# %%
# The work is a kernel that only sleeps; its function is private to PyTorch and may change.

ROUNDS, CYCLES = 10, 20_000_000  # about ten milliseconds each


def queue(gpu):
    with torch.cuda.device(gpu):
        torch.cuda._sleep(CYCLES)
        return torch.cuda.current_stream().record_event()


def seconds(*gpus):
    for gpu in (first, second):
        torch.cuda.synchronize(gpu)
    begin = time.perf_counter()
    events = [queue(gpu) for gpu in gpus]
    were_busy = not any(event.query() for event in events)
    for event in events:
        event.synchronize()
    return time.perf_counter() - begin, were_busy


# %%
# Warm up both for a fixed time, since clocks rise slowly.

warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    seconds(first, second)

# %%
# The tests take turns: one GPU alone, both GPUs, and the same GPU twice. The slower of the two GPUs
# counts as the one GPU.

ratios, again, busy = [], [], 0
for _ in range(ROUNDS):
    alone = max(seconds(gpu)[0] for gpu in (first, second))
    both, were_busy = seconds(first, second)
    ratios.append(both / alone)
    again.append(seconds(first, first)[0] / alone)
    busy += were_busy
print("both GPUs, compared with one:", *(f"{ratio:.2f}" for ratio in ratios))
print("one GPU twice, compared with once:", *(f"{ratio:.2f}" for ratio in again))
print(f"both were busy after the calls in {busy} of {ROUNDS} rounds")

# %%
# Ratios of times, and rounds in which both GPUs had work left when the calls returned.

measured = {
    "rounds": ROUNDS,
    "both_busy": busy,
    "both_ratio": {"samples": ratios},
    "twice_ratio": {"samples": again},
}
