"""
A pinned loader pays when copies matter
=======================================

How much faster does a training loop get with ``DataLoader(pin_memory=True)`` and
``non_blocking=True``? That depends on the model, and on what produces the batches:
the loop itself, one worker, or several.
"""
# sphinx_gallery_evidence = {"expected_warnings": ["This process"]}
# sphinx_gallery_quiet = "host"

import time
from statistics import median

import torch
from torch import nn
from torch.utils.data import DataLoader, RandomSampler, TensorDataset

# %%
# Without workers, the batches are ready in advance, so that only their way to the GPU
# counts. With workers, everything is as usual: samples are drawn at random, and the
# workers stack them.

SAMPLES, ROWS, FEATURES, BATCH, WORKERS = 64, 64, 1024, 32, 4  # 8 MiB a batch
data = TensorDataset(
    torch.randn(SAMPLES, ROWS, FEATURES), torch.randint(10, (SAMPLES, ROWS))
)


def batches(workers, pin_memory):
    if not workers:
        ready = [data[start : start + BATCH] for start in range(0, SAMPLES, BATCH)]
        return iter(DataLoader(ready * 10**4, None, pin_memory=pin_memory))
    options = {"sampler": RandomSampler(data, replacement=True, num_samples=10**6)}
    options |= {"num_workers": workers, "multiprocessing_context": "fork"}
    return iter(DataLoader(data, BATCH, pin_memory=pin_memory, **options))


# %%
# Three models: one with hardly anything to compute, one that computes for longer than
# it takes to copy a batch, and one that computes for many times as long.


def model(width, layers):
    with torch.device("cuda"):
        inner = [(nn.Linear(width, width), nn.ReLU()) for _ in range(layers)]
        first, last = nn.Linear(FEATURES, width), nn.Linear(width, 10)
        return nn.Sequential(first, nn.ReLU(), *sum(inner, ()), last)


tiny, medium, large = model(16, 0), model(2048, 2), model(4096, 3)
LOOPS = {  # model, workers, steps to time at once, how often
    "tiny": (tiny, 0, 6, 6),
    "medium": (medium, 0, 3, 3),
    "large": (large, 0, 2, 2),
    "medium_with_one_worker": (medium, 1, 4, 2),
    "tiny_with_workers": (tiny, WORKERS, 4, 2),
    "medium_with_workers": (medium, WORKERS, 4, 2),
    "large_with_workers": (large, WORKERS, 2, 2),
}
loaders = {(n, pin): batches(n, pin) for n in (0, 1, WORKERS) for pin in (False, True)}

# %%
# The loop, with the two arguments in question: one for the loader, one for the copy.
# (The first optimizer in a process takes long to import PyTorch's compiler, so SGD is
# written out.)


def train(network, loader, steps, non_blocking):
    for _ in range(steps):
        x, y = (half.to("cuda", non_blocking=non_blocking) for half in next(loader))
        nn.functional.cross_entropy(network(x.flatten(0, 1)), y.flatten()).backward()
        with torch.no_grad():
            for weight in network.parameters():
                weight.sub_(weight.grad, alpha=1e-4)
                weight.grad = None


# %%
# Workers prepare batches while the other loops are running. What they have in store,
# two batches each, is used up before the clock starts.


def step_seconds(name, pin, free):
    network, workers, steps, _ = LOOPS[name]
    train(network, loaders[workers, pin], 2 * workers, free)
    torch.cuda.synchronize()
    begin = time.perf_counter()
    train(network, loaders[workers, pin], steps, free)
    torch.cuda.synchronize()
    return (time.perf_counter() - begin) / steps


# %%
# The loops take turns, each in all four combinations of the arguments. Short loops get
# more turns.

PLAIN, *OTHERS = (False, False), (False, True), (True, False), (True, True)
times = {(name, arm): [] for name in LOOPS for arm in (PLAIN, *OTHERS)}
warm_until = time.perf_counter() + 0.1  # a fixed time: clocks ramp up slowly
while time.perf_counter() < warm_until:
    for name, (pin, free) in times:
        train(LOOPS[name][0], loaders[LOOPS[name][1], pin], 1, free)
for turn in range(6):
    for name, arm in [case for case in times if turn < LOOPS[case[0]][-1]]:
        times[name, arm].append(step_seconds(name, *arm))
loaders.clear()  # ends the workers

# %%
# How much faster is each combination than the loop that uses neither argument?

table = []
for name in LOOPS:
    plain = times[name, PLAIN]
    row = {"loop": name, "plain_s": {"samples": plain}}
    for arm, label in zip(OTHERS, ("non_blocking", "pinned", "both")):
        gains = [slow / fast for slow, fast in zip(plain, times[name, arm])]
        row[f"{label}_speedup"] = {"samples": gains}
        print(f"{name:>20}, {label:>12}: {median(gains):.2f} times as fast")
    table.append(row)
measured = {"workers": WORKERS, "by_loop": {"table": table}}
