"""
The grid decides where seeds agree
==================================

Does the same seed give the same numbers on another GPU? Up to the number of threads that the
smaller one runs at a time, and no further. This script computes what any GPU draws, bit by bit.
"""

import torch

GPUS = {  # multiprocessors, and threads that each of them holds
    "Tesla T4": (40, 1024),
    "V100": (80, 2048),
    "A100": (108, 2048),
    "L4": (58, 1536),
    "GeForce RTX 4090": (128, 1536),
    "H100 PCIe": (114, 2048),
    "H100 SXM, H200": (132, 2048),
    "B200": (148, 2048),
}
here = torch.cuda.get_device_properties(0)
own = here.multi_processor_count, here.max_threads_per_multi_processor
print(f"this GPU: {here.name}, {own[0] * own[1]} threads")

# %%
# The generator of a GPU is Philox: a function from a counter and the seed to four numbers. It is
# computed here on 64-bit integers, ten rounds for each counter.

LOW = 2**32 - 1


def times(x, factor):
    """The high and the low half of a product of 32 bits by 32 bits."""
    low, high = x * (factor & 0xFFFF), x * (factor >> 16)
    middle = (low >> 16) + high
    return middle >> 16, ((middle & 0xFFFF) << 16) | (low & 0xFFFF)


def philox(counter, thread, seed):
    one, two, three, four = counter, torch.zeros_like(thread), thread, thread * 0
    key, other = seed & LOW, seed >> 32
    for _ in range(10):
        (high, low), (up, down) = times(one, 0xD2511F53), times(three, 0xCD9E8D57)
        one, two, three, four = up ^ two ^ key, down, high ^ four ^ other, low
        key, other = (key + 0x9E3779B9) & LOW, (other + 0xBB67AE85) & LOW
    return torch.stack((one, two, three, four))


# %%
# PyTorch starts blocks of 256 threads, as many as the numbers need, but no more than the GPU holds
# at a time. Each thread has its own sequence, and writes its numbers one grid apart.


def drawn(count, gpu, seed=0, draw=0):
    """What ``torch.rand(count)`` gives on a GPU as the first draw, or a later one."""
    units, threads = gpu
    grid = 256 * min(units * (threads // 256), -(-count // 256))
    place = torch.arange(count, device="cuda")
    turn, rest = place // (4 * grid), place % (4 * grid)
    four = philox(turn + draw, rest % grid, seed)
    bits = four.gather(0, (rest // grid)[None])[0]
    numbers = bits.float() * 2**-32 + 2**-33
    return torch.where(numbers == 1, 0, numbers)


def given(count, seed=0):
    torch.manual_seed(seed)
    return torch.rand(count, device="cuda")


def agreeing(one, two):
    """How many numbers are the same before the first that differs."""
    different = (one != two).nonzero()
    return different[0].item() if len(different) else len(one)


# %%
# First, this GPU at sizes up to several grids. Then the others, drawing all at once, and in pieces
# that fit into the smallest grid.

SIZES = 1, 1000, 2**16, 270_336, 270_337, 2**20, 2**21 + 3
SEEDS = 0, 1, 2**40 + 5
COUNT, PIECE = 2**20, 2**15
tries = [(size, seed) for size in SIZES for seed in SEEDS]
computed = sum(torch.equal(given(n, seed), drawn(n, own, seed)) for n, seed in tries)
numbers = given(COUNT)
torch.manual_seed(0)
pieces = [torch.rand(PIECE, device="cuda") for _ in range(COUNT // PIECE)]
gpus = []
for name, gpu in GPUS.items():
    same = agreeing(numbers, drawn(COUNT, gpu))
    alike = [torch.equal(x, drawn(PIECE, gpu, draw=n)) for n, x in enumerate(pieces)]
    gpus.append({"gpu": name, "threads": gpu[0] * gpu[1], "same": same})
    gpus[-1] |= {"in_pieces": sum(alike) * PIECE}
    print(gpus[-1])

# %%
# The generator of the CPU is another one. Its numbers can be copied to any GPU.

torch.manual_seed(0)
on_the_host = torch.rand(COUNT)
measured = {
    "tries": len(tries),
    "computed": computed,
    "own_threads": own[0] * own[1],
    "count": COUNT,
    "piece": PIECE,
    "same_on_the_cpu": agreeing(on_the_host.to("cuda"), numbers),
    "by_gpu": {"table": gpus},
}
