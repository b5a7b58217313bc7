"""
synchronize() waits for one GPU
===============================

Which calls concern all GPUs, and which only the current one? ``synchronize()``, memory
counts and ``torch.cuda.manual_seed`` concern the current GPU. To reach another GPU, name it.
"""

# sphinx_gallery_evidence = {"gpus": 2}
import torch

x = torch.ones(1000, 1000, device="cuda:1")
y = x @ x  # queued on the second GPU
torch.cuda.synchronize()  # waits for the current one, here the first
torch.cuda.synchronize("cuda:1")  # waits for the second
print(y[0, 0].item())

# %%
# A kernel that only sleeps keeps both GPUs busy, the second one for longer. Which GPU is still
# busy when a call returns? (``_sleep`` is private to PyTorch and may change.)

TRIES = 10
SHORT, LONG = 10_000_000, 100_000_000  # cycles: about 5 and 50 milliseconds


def hold(device, cycles):
    with torch.cuda.device(device):
        torch.cuda._sleep(cycles)
        return torch.cuda.current_stream().record_event()


def busy_after(call):
    first, second = hold(0, SHORT), hold(1, LONG)
    call()
    busy = not first.query(), not second.query()
    for device in range(2):
        torch.cuda.synchronize(device)
    return busy


def inside():
    with torch.cuda.device(1):
        torch.cuda.synchronize()


CALLS = {
    "nothing": lambda: None,
    "cuda": torch.cuda.synchronize,
    "accelerator": torch.accelerator.synchronize,
    "named": lambda: torch.cuda.synchronize("cuda:1"),
    "inside": inside,
}
waits = []
for name, call in CALLS.items():
    busy_after(call)  # not counted: the first launch of a kernel waits
    first, second = map(sum, zip(*[busy_after(call) for _ in range(TRIES)]))
    waits.append({"call": name, "first_busy": first, "second_busy": second})
    print(waits[-1])

# %%
# PyTorch counts memory per GPU, and each GPU has its own generator of random numbers.

BYTES = 2**20
before = [torch.cuda.memory_allocated(), torch.cuda.memory_allocated(1)]
kept = torch.empty(BYTES, dtype=torch.uint8, device="cuda:1")
after = [torch.cuda.memory_allocated(), torch.cuda.memory_allocated(1)]
current_bytes, second_bytes = (new - old for new, old in zip(after, before))
print(f"{current_bytes} bytes more on the current GPU, {second_bytes} on the second")


def repeats(seed):
    drawn = []
    for _ in range(2):
        seed(0)
        drawn.append([torch.rand(8, device=f"cuda:{i}").tolist() for i in range(2)])
    return [one == two for one, two in zip(*drawn)], drawn[0][0] == drawn[0][1]


SEEDS = {
    "torch": torch.manual_seed,
    "cuda": torch.cuda.manual_seed,
    "cuda_all": torch.cuda.manual_seed_all,
}
seeds = []
for name, seed in SEEDS.items():
    (first, second), alike = repeats(seed)
    seeds.append({"call": name, "first": first, "second": second, "alike": alike})
    print(seeds[-1])

# %%
# The two GPUs draw the same numbers after the same seed.

measured = {
    "tries": TRIES,
    "waits": {"table": waits},
    "kept_bytes": BYTES,
    "current_bytes": current_bytes,
    "second_bytes": second_bytes,
    "seeds": {"table": seeds},
}
