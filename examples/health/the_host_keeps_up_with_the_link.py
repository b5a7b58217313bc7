"""
The host keeps up with the link
===============================

Is the memory of this host fast enough for its GPU? Data that a program prepares is written by the
CPU, and then read by the copy to the GPU. Missing memory modules, a process on the far socket and
too few cores make the first slower than the second.
"""

# sphinx_gallery_quiet = "host"
import time
from statistics import median

import torch

# %%
# An ordinary buffer and a pinned one, both written before, so that no copy pays for a first touch.

SIZE = 2**28  # bytes: larger than most CPU caches
ROUNDS = 6
prepared = torch.randint(0, 256, (SIZE,), dtype=torch.uint8)
pinned = torch.ones_like(prepared).pin_memory()
on_gpu = torch.empty_like(prepared, device="cuda")


def seconds(source, target):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    target.copy_(source)
    torch.cuda.synchronize()
    return time.perf_counter() - begin


# %%
# PyTorch copies on the host with all its threads. The two ways take turns, after a warm-up.

warm_until = time.perf_counter() + 0.3
while time.perf_counter() < warm_until:
    seconds(prepared, pinned)
    seconds(pinned, on_gpu)
rounds = [(seconds(prepared, pinned), seconds(pinned, on_gpu)) for _ in range(ROUNDS)]
on_host, over_link = ([SIZE / taken for taken in way] for way in zip(*rounds))
print(f"with {torch.get_num_threads()} threads: {median(on_host) / 1e9:.0f} GB/s into")
print(f"pinned memory, and {median(over_link) / 1e9:.0f} from there to the GPU")

# %%
# The ratio of each round says which of the two a loop waits for.

measured = {
    "host_speedup": {"samples": [link / host for host, link in rounds]},
}
