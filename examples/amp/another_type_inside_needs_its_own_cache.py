"""
Another type inside needs its own cache
=======================================

Can an FP16 block stand inside a BF16 block? Yes, unless both use the same weight: the cache
hands the BF16 copy to the FP16 block, and the types do not match. The same happens to two
threads.
"""

# sphinx_gallery_quiet = "nothing"
import threading

import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
layer = torch.nn.Linear(8, 8, device=device)
x = torch.randn(4, 8, device=device)

with torch.autocast(device.type, dtype=torch.bfloat16):
    first = layer(x)
    with torch.autocast(device.type, dtype=torch.float16, cache_enabled=False):
        second = layer(x)
print(first.dtype, second.dtype)

# %%
# The inner block, with the cache or without, after clearing it, and around a first use.

TRIES = 20


def inner_block(**options):
    with torch.autocast(device.type, dtype=torch.bfloat16):
        layer(x)
        with torch.autocast(device.type, dtype=torch.float16, **options):
            return layer(x)


def inner_block_after_clearing(once_more=False):
    with torch.autocast(device.type, dtype=torch.bfloat16):
        layer(x)
        torch.clear_autocast_cache()
        with torch.autocast(device.type, dtype=torch.float16):
            result = layer(x)
        return layer(x) if once_more else result


def inner_block_first():
    with torch.autocast(device.type, dtype=torch.bfloat16):
        with torch.autocast(device.type, dtype=torch.float16):
            layer(x)
        return layer(x)


# %%
# The same for two threads: one has used the weight and keeps its block open, and another one
# uses the weight in a block of its own.


def in_a_thread(**options):
    results = []

    def work():
        with torch.autocast(device.type, dtype=torch.float16, **options):
            try:
                results.append(layer(x))
            except RuntimeError as failure:
                results.append(failure)

    with torch.autocast(device.type, dtype=torch.bfloat16):
        layer(x)
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    if isinstance(results[0], RuntimeError):
        raise results[0]
    return results[0]


# %%
# Count how often each form raises, and keep one message. A result that comes is in FP16.


def raised(run, **options):
    count, message, types = 0, None, set()
    for _ in range(TRIES):
        try:
            types.add(run(**options).dtype)
        except RuntimeError as failure:
            count, message = count + 1, RuntimeError(str(failure))
    assert types <= {torch.float16}
    return count, message


inner, failure = raised(inner_block)
measured = {
    "tries": TRIES,
    "inner": inner,
    "failure": failure,
    "inner_uncached": raised(inner_block, cache_enabled=False)[0],
    "inner_cleared": raised(inner_block_after_clearing)[0],
    "outer_after_clearing": raised(inner_block_after_clearing, once_more=True)[0],
    "outer_after_inner": raised(inner_block_first)[0],
    "thread": raised(in_a_thread)[0],
    "thread_uncached": raised(in_a_thread, cache_enabled=False)[0],
}
print(measured)
