"""Page: execution/stream_memory.md. "Keeping two tensors and waiting in the stream takes two blocks, and is as fast."
Attack: weights that are not all of one size (layers that grow from 16 to 58 MiB; alternating; shrinking): reserved memory of the
page's `kept` loop against twice the largest, with the current stream held, and of `recorded` for comparison.
Refuted if the kept loop takes more than twice the largest block (by over 10 %).
"""
import torch

here, side = torch.cuda.current_stream(), torch.cuda.Stream()
MIB = 2**18  # floats
GROW = [16 + 6 * i for i in range(8)]
CASES = {"equal": [16] * 8, "growing": GROW, "shrinking": GROW[::-1], "alternating": [16, 58] * 4}
hosts = {n: torch.ones(n * MIB, pin_memory=True) for n in set(GROW + [16, 58])}


def fetch(size):
    with torch.cuda.stream(side):
        weights = hosts[size].to("cuda", non_blocking=True)
    here.wait_stream(side)
    return weights


def use(weights):
    torch.cuda._sleep(1_000_000)
    return weights.sum()


def recorded(sizes):
    for size in sizes:
        weights = fetch(size)
        yield use(weights)
        weights.record_stream(here)


def kept(sizes):
    queue = []
    for size in sizes:
        if len(queue) == 2:
            side.wait_event(queue.pop(0)[1])
        weights = fetch(size)
        yield use(weights)
        queue.append((weights, here.record_event()))
    side.wait_stream(here)


def memory(way, sizes):
    torch.cuda.synchronize(); torch.cuda.empty_cache()
    before = torch.cuda.memory_reserved()
    torch.cuda._sleep(200_000_000)
    sums = list(way(sizes))
    taken = torch.cuda.memory_reserved() - before
    wrong = sum(s.item() != n * MIB for s, n in zip(sums, sizes))
    return taken / 2**20, wrong


keep = torch.zeros(1, device="cuda")
memory(kept, [16] * 3)
bad = []
for name, sizes in CASES.items():
    (mine, wrong), (theirs, _) = memory(kept, sizes), memory(recorded, sizes)
    print(f"{name} {sizes}: kept {mine:.0f} MiB, recorded {theirs:.0f} MiB, twice the largest {2 * max(sizes)} MiB, wrong {wrong}")
    if mine > 2.2 * max(sizes):
        bad.append(f"{name}: {mine:.0f} MiB instead of {2 * max(sizes)}")
print(f"REFUTED: two kept tensors take more than two blocks: {bad}" if bad else f"NOT REFUTED: {list(CASES)}")
