"""autocast.md: "The end of a block restores what was before" / "A block inside a generator stays open while the generator
waits: ... after the generator is closed [float32]".
Attack: two generators with a block of their own, advanced in turns as zip does, and closed (or run to the end) in the order
in which they were opened. Also two coroutines (asyncio tasks) in turns.
Refuted if autocast is on after all of them have ended."""
import asyncio
import torch

dev = "cuda" if torch.cuda.is_available() else "cpu"
x, y = torch.randn(2, 8, 8, device=dev)


def batches(n):
    with torch.autocast(dev, dtype=torch.bfloat16):
        for _ in range(n):
            yield (x @ y).dtype


def after():
    left = (x @ y).dtype
    torch.set_autocast_enabled(dev, False)
    return left


found = {}
one = batches(2)
next(one)
one.close()
found["one generator, closed"] = after()
one, two = batches(2), batches(2)
next(one), next(two)
one.close()
two.close()
found["two generators, closed in order"] = after()
list(zip(batches(2), batches(2)))
found["zip of two generators, run to the end"] = after()


async def task(first, second):
    with torch.autocast(dev, dtype=torch.bfloat16):
        await asyncio.sleep(first)
    return second


async def two_tasks():
    await asyncio.gather(task(0.05, 1), task(0.1, 2))


asyncio.run(two_tasks())
found["two asyncio tasks"] = after()
for name, dtype in found.items():
    print(f"{name}: a product afterwards is in {dtype}")
assert found["one generator, closed"] is torch.float32
bad = [name for name, dtype in found.items() if dtype is not torch.float32]
print(f"REFUTED: autocast stayed on after {'; '.join(bad)}" if bad else "NOT REFUTED: two generators, zip, two tasks")
