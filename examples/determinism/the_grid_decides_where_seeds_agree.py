"""
The grid decides where seeds agree
==================================

Does the same seed give the same numbers on another GPU? Up to the number of threads that the
smaller one runs at a time, and no further. This script computes what any GPU draws, bit by bit.
"""

# sphinx_gallery_quiet = "nothing"
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
# at a time. Each thread has its own sequence, and writes its numbers one grid apart. A draw moves
# the counter by the most that one thread has drawn.


def drawn(gpu, *sizes, seed=0):
    """What draws of these sizes give on a GPU, one after the other."""
    units, threads = gpu
    draws, moved = [], 0
    for size in sizes:
        grid = 256 * min(units * (threads // 256), -(-size // 256))
        place = torch.arange(size, device="cuda")
        turn, rest = place // (4 * grid), place % (4 * grid)
        four = philox(turn + moved, rest % grid, seed)
        numbers = four.gather(0, (rest // grid)[None])[0].float() * 2**-32 + 2**-33
        draws.append(torch.where(numbers == 1, 0, numbers))
        moved += turn[-1].item() + 1
    return draws


def given(*sizes, seed=0):
    torch.manual_seed(seed)
    return [torch.rand(size, device="cuda") for size in sizes]


def agreeing(one, two):
    """How many numbers are the same before the first that differs."""
    different = (one != two).nonzero()
    return different[0].item() if len(different) else len(one)


# %%
# First, this GPU: sizes up to several grids, and a small draw before and after a large one. Then
# the others: a large draw, both orders, each after a seed, and pieces that fit into the smallest
# grid.

SIZES = 1, 1000, 2**16, 270_336, 270_337, 2**20, 2**21 + 3
SEEDS = 0, 1, 2**40 + 5
COUNT, PIECE = 2**20, 2**15
ORDERS = (PIECE, COUNT), (COUNT, PIECE), [PIECE] * (COUNT // PIECE)
tries = [(sizes, seed) for sizes in [*zip(SIZES), *ORDERS[:2]] for seed in SEEDS]
computed = sum(
    all(map(torch.equal, given(*sizes, seed=seed), drawn(own, *sizes, seed=seed)))
    for sizes, seed in tries
)
made, again = [given(*sizes) for sizes in ORDERS], given(PIECE)[0]
gpus = []
for name, gpu in GPUS.items():
    there = [drawn(gpu, *sizes) for sizes in ORDERS]
    same = [list(map(agreeing, *pair)) for pair in zip(made, there)]
    row = {"gpu": name, "threads": gpu[0] * gpu[1], "same": same[1][0]}
    row |= {"small_before": same[0][0], "large_after": same[0][1]}
    row |= {"small_after": same[1][1], "in_pieces": sum(same[2])}
    row["small_reseeded"] = agreeing(again, there[0][0])
    gpus.append(row)
    print(row)

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
    "same_on_the_cpu": agreeing(on_the_host.to("cuda"), made[1][0]),
    "by_gpu": {"table": gpus},
}
