"""docs/execution/processes.md: "It does not matter how much of the GPU the other process fills: beside one that runs kernels of a single thread, the product still takes [1.5 to 3 times] as long" /
"Beside a process that multiplies matrices without a pause ..." / "Processes on one GPU take turns".
Attack: the other process computes all the time, but in short kernels (one element), each awaited, or queued back to back; or copies only; control: its one-thread kernel of 2.5 ms.
Refuted if the product takes less than 1.3 times as long beside a process that runs short kernels without a pause."""
import time
from multiprocessing import Pipe, get_context

import torch


def obey(pipe):
    pipe.recv()
    small, large = torch.zeros(1, device="cuda"), torch.zeros(1 << 26, device="cuda")
    pinned = torch.zeros(1 << 22).pin_memory()

    def queue():
        for _ in range(200):
            small.add_(1)

    works = {
        "short, awaited": lambda: small.add_(1), "short, queued": queue, "one thread, 2.5 ms": lambda: torch.cuda._sleep(5_000_000),
        "one thread, 50 us": lambda: torch.cuda._sleep(100_000), "copies to the GPU": lambda: large[: 1 << 22].copy_(pinned, non_blocking=True),
    }
    for work in works.values():
        work()
    torch.cuda.synchronize()
    pipe.send("ready")
    for word in iter(pipe.recv, "end"):
        pipe.send(word)
        while word in works and not pipe.poll():
            works[word]()
            torch.cuda.synchronize()


pipe, other_end = Pipe()
other = get_context("fork").Process(target=obey, args=(other_end,), daemon=True)
other.start()


def tell(word):
    pipe.send(word)
    return pipe.recv()


a = torch.randn(4096, 4096, device="cuda")


def product():
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(10):
        a @ a
        torch.cuda.synchronize()
    return (time.perf_counter() - begin) / 10


tell("begin")
until = time.perf_counter() + 0.3
while time.perf_counter() < until:
    product()
WORDS = ["rest", "short, awaited", "one thread, 50 us", "short, queued", "one thread, 2.5 ms", "copies to the GPU"]
times = {word: [] for word in WORDS}
for number in range(4):
    for word in WORDS if number % 2 else WORDS[::-1]:
        tell(word)
        times[word].append(product())
pipe.send("end")
median = {word: sorted(values)[len(values) // 2] for word, values in times.items()}
ratio = {word: round(value / median["rest"], 2) for word, value in median.items()}
print("the product takes, compared with rest:", ratio)
assert ratio["one thread, 2.5 ms"] > 1.3, "the control failed"
cheap = {word: ratio[word] for word in WORDS[1:4] if ratio[word] < 1.3}
print(f"REFUTED: beside short kernels without a pause, the product takes only {cheap}" if cheap else f"NOT REFUTED: {ratio}")
