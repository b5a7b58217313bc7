"""
A spawned process uses the GPU
==============================

How do several processes use one GPU? Start them with ``spawn``: each is a new interpreter, which
may use the GPU whether or not the process that starts it has used it. It knows nothing of that
process's settings.
"""

# sphinx_gallery_evidence = {"timeout": 60}
from multiprocessing import get_context

import torch

if __name__ == "__main__":  # each new process imports this file
    print(torch.ones(3, device="cuda").sum().item())  # CUDA is in use
    with get_context("spawn").Pool(1) as pool:
        name = pool.apply(torch.cuda.get_device_name)
    print(name)

# %%
# What the first process has set is not set in a new one.

if __name__ == "__main__":
    torch.set_float32_matmul_precision("high")
    torch.manual_seed(7)
    with get_context("spawn").Pool(1) as pool:
        precision = pool.apply(torch.get_float32_matmul_precision)
        seed = pool.apply(torch.initial_seed)
    print(f"precision {precision!r}, seed {seed}")

# %%
# Did the first process name the GPU, and which settings did the second one have?

if __name__ == "__main__":
    measured = {
        "named": name == torch.cuda.get_device_name(),
        "precision_here": torch.get_float32_matmul_precision(),
        "precision_there": precision,
        "seed_is_the_same": seed == torch.initial_seed(),
    }
