"""
Concurrent calls mix up autocast
================================

Is autocast safe with asyncio, and with threads that share a decorated function? A task that awaits
within its block lends it to other tasks, and a decorator is one instance for all threads. A block
within the function that ends before anything is awaited is safe.
"""

# sphinx_gallery_evidence = {"expected_warnings": ["Attempting to run cuBLAS"]}
import asyncio

import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
x, y = torch.randn(2, 8, 8, device=device)


async def wait_in_the_block():
    with torch.autocast(device.type, dtype=torch.bfloat16):
        await asyncio.sleep(0)  # other tasks run here
        return x @ y


async def product():
    return (x @ y).dtype


async def serve():
    return await asyncio.gather(wait_in_the_block(), product())


print("another task computes in", asyncio.run(serve())[1])

# %%
# Two tasks that enter their blocks in turn also leave them in turn: the second restores what it
# found, which is the block of the first. After each try, autocast is switched off, as it should be.

TRIES = 20


async def wait_behind_the_block():
    with torch.autocast(device.type, dtype=torch.bfloat16):
        result = x @ y
    await asyncio.sleep(0)
    return result


async def beside(task):
    return (await asyncio.gather(task(), product()))[1]


async def after_two(task):
    await asyncio.gather(task(), task())
    return await product()


def count_bf16(run, task):
    found = 0
    for _ in range(TRIES):
        found += asyncio.run(run(task)) is torch.bfloat16
        torch.set_autocast_enabled(device.type, False)
    return found


# %%
# Two threads run a function at the same time, the first without a block and the second in one: in
# which type does the first compute afterwards?

import threading
from concurrent.futures import ThreadPoolExecutor


@torch.autocast(device.type, dtype=torch.bfloat16)
def decorated(enter, wait):
    enter()
    wait(5)
    return x @ y


def with_a_block(enter, wait):
    with torch.autocast(device.type, dtype=torch.bfloat16):
        enter()
        wait(5)
        return x @ y


def type_after(function):
    first_in, second_in = threading.Event(), threading.Event()

    def without_a_block():
        function(first_in.set, second_in.wait)
        return (x @ y).dtype

    def in_a_block():
        first_in.wait(5)
        with torch.autocast(device.type, dtype=torch.bfloat16):
            function(second_in.set, first.result)

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(without_a_block)
        pool.submit(in_a_block).result()
        return first.result()


LEFT_ON = torch.bfloat16
measured = {
    "tries": TRIES,
    "lent": count_bf16(beside, wait_in_the_block),
    "left_on": count_bf16(after_two, wait_in_the_block),
    "lent_behind": count_bf16(beside, wait_behind_the_block),
    "left_on_behind": count_bf16(after_two, wait_behind_the_block),
    "decorated": sum(type_after(decorated) is LEFT_ON for _ in range(TRIES)),
    "block": sum(type_after(with_a_block) is LEFT_ON for _ in range(TRIES)),
}
print(measured)
