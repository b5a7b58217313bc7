"""
A new thread starts without autocast
====================================

Does a block also hold for work that it hands to a thread? No: each thread has its own state,
and a new one starts with autocast off. Backward is the exception: it takes the state along.
"""

# sphinx_gallery_evidence = {"expected_warnings": ["Attempting to run cuBLAS"]}
# sphinx_gallery_quiet = "nothing"
import threading
from concurrent.futures import ThreadPoolExecutor

import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
x, y = torch.randn(2, 8, 8, device=device)


def work():
    return (x.relu() @ y).dtype


with torch.autocast(device.type, dtype=torch.bfloat16), ThreadPoolExecutor(1) as pool:
    print("in the block:   ", work())
    print("in a new thread:", pool.submit(work).result())

# %%
# The block has to be opened in the thread, with the type that is wanted there. Both are easily
# read where the thread is started.

TRIES = 20


def work_in_a_block(enabled, dtype):
    with torch.autocast(device.type, dtype=dtype, enabled=enabled):
        return work()


def hand_over():
    return pool.submit(work).result()


def hand_over_with_the_state():
    enabled = torch.is_autocast_enabled(device.type)
    dtype = torch.get_autocast_dtype(device.type)
    return pool.submit(work_in_a_block, enabled, dtype).result()


def full_precision(run):
    with torch.autocast(device.type, dtype=torch.bfloat16):
        return sum(run() is not torch.bfloat16 for _ in range(TRIES))


with ThreadPoolExecutor(2) as pool:
    alone, with_state = (
        full_precision(hand_over),
        full_precision(hand_over_with_the_state),
    )
print(f"not in BF16: {alone} of {TRIES}, with the state {with_state} of {TRIES}")

# %%
# What does a thread of backward see? A hook runs in it, with the block open and without. And what
# are the type and the cache of a new thread? The block around it asks for others than the defaults.


def state():
    enabled = torch.is_autocast_enabled(device.type)
    dtype = str(torch.get_autocast_dtype(device.type)).removeprefix("torch.")
    seen = {"enabled": enabled, "dtype": dtype, "thread": threading.get_ident()}
    return seen | {"cached": torch.is_autocast_cache_enabled()}


def backward_state(inside):
    seen = []
    leaf = x.clone().requires_grad_()
    block = torch.autocast(device.type, dtype=torch.bfloat16)
    with block:
        product = leaf @ y
        product.register_hook(lambda _: seen.append(state()))
        if inside:
            product.sum().backward()
    if not inside:
        product.sum().backward()
    return seen[0]


def new_thread_state():
    options = {"dtype": torch.bfloat16, "cache_enabled": False}
    with torch.autocast(device.type, **options), ThreadPoolExecutor(1) as pool:
        return pool.submit(state).result()


inside, outside = backward_state(inside=True), backward_state(inside=False)
new = new_thread_state()
measured = {
    "tries": TRIES,
    "alone": alone,
    "with_state": with_state,
    "new_thread_enabled": new["enabled"],
    "new_thread_dtype": new["dtype"],
    "new_thread_cached": new["cached"],
    "backward_inside_enabled": inside["enabled"],
    "backward_inside_dtype": inside["dtype"],
    "backward_outside_enabled": outside["enabled"],
    "backward_in_another_thread": inside["thread"] != threading.get_ident(),
}
print(measured)
