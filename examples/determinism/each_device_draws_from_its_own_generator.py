"""
Each device draws from its own generator
========================================

What does a seed fix? The numbers that each device draws, in the order in which it draws them. One
draw more moves all numbers behind it; Python's own random numbers have a seed of their own.
"""

# sphinx_gallery_quiet = "nothing"
import torch

torch.manual_seed(0)  # the generator of the CPU, and that of each GPU
host, gpu = torch.rand(3), torch.rand(3, device="cuda")
torch.manual_seed(0)
gpu_first, host_second = torch.rand(3, device="cuda"), torch.rand(3)
print("in another order:", torch.equal(gpu, gpu_first), torch.equal(host, host_second))

generator = torch.Generator("cuda").manual_seed(0)
own = torch.rand(3, device="cuda", generator=generator)
print("from a generator of one's own:", torch.equal(gpu, own))

# %%
# After the same seed, the program does one thing more. Are the next numbers still the same?

import random

from torch.utils.data import DataLoader

data, layer, other = torch.zeros(4, 3), torch.nn.Dropout(), torch.Generator()
x = torch.ones(1000, device="cuda")


def in_a_fork():
    with torch.random.fork_rng():
        return torch.rand(1), torch.rand(1, device="cuda")


ACTIONS = {
    "a draw on the CPU": lambda: torch.rand(1),
    "a draw on the GPU": lambda: torch.rand(1, device="cuda"),
    "a draw with a generator": lambda: x.clone().uniform_(generator=generator),
    "draws in fork_rng": in_a_fork,
    "a new layer": lambda: torch.nn.Linear(2, 2),
    "dropout": lambda: layer.train()(x),
    "dropout in eval mode": lambda: layer.eval()(x),
    "svd_lowrank": lambda: torch.svd_lowrank(x.view(50, 20)),
    "a DataLoader": lambda: list(DataLoader(data)),
    "a DataLoader with a generator": lambda: list(DataLoader(data, generator=other)),
}


def next_numbers():
    return torch.rand(8), torch.rand(8, device="cuda")


def python_number():
    torch.manual_seed(0)
    return random.random()


torch.manual_seed(0)
plain, actions = next_numbers(), []
for name, action in ACTIONS.items():
    torch.manual_seed(0)
    action()
    host, gpu = map(torch.equal, plain, next_numbers())
    actions.append({"action": name, "cpu": host, "gpu": gpu})

# %%
# Does it matter how many numbers are drawn? A GPU moves its generator by the longest sequence that
# one of its threads needs, the CPU by each number.

SIZES = 1, 1000, 2**20, 2**21


def moved(size, device):
    torch.manual_seed(0)
    torch.rand(size, device=device)
    return torch.rand(8, device=device)


def first_alike(function, device):
    """Whether fifteen numbers are the first fifteen of sixteen."""
    torch.manual_seed(0)
    few = function(15, device=device)
    torch.manual_seed(0)
    return torch.equal(few, function(16, device=device)[:15])


sizes = [{"size": size} for size in SIZES]
for device in "cpu", "cuda":
    for row in sizes:
        row[device] = torch.equal(moved(1, device), moved(row["size"], device))
firsts = {
    f"first_alike_{device}_{function.__name__}": first_alike(function, device)
    for function in (torch.rand, torch.randn)
    for device in ("cpu", "cuda")
}
print(*sizes, firsts, sep="\n")

# %%
# A checkpoint needs the states of both: here, one number has been drawn since they were saved.

states = torch.get_rng_state(), torch.cuda.get_rng_state()
expected = next_numbers()
torch.set_rng_state(states[0])
cpu_alone = list(map(torch.equal, expected, next_numbers()))
torch.set_rng_state(states[0])
torch.cuda.set_rng_state(states[1])
both = list(map(torch.equal, expected, next_numbers()))
measured = {
    "python_repeats": python_number() == python_number(),
    "cpu_alone_cpu": cpu_alone[0],
    "cpu_alone_gpu": cpu_alone[1],
    "both_cpu": both[0],
    "both_gpu": both[1],
    "cpu_state_bytes": len(states[0]),
    "gpu_state_bytes": len(states[1]),
    "by_action": {"table": actions},
    "by_size": {"table": sizes},
} | firsts
