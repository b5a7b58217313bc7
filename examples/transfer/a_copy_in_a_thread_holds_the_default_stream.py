"""
A copy in a thread holds the default stream
===========================================

A copy from pageable memory keeps the host waiting. Can a separate thread wait instead?
While the thread copies, a launch in the default stream waits as well, even though the
copy is in another stream. A launch in a third stream does not.
"""

import threading
import time

import torch

# %%
# Something to copy, a small kernel, and a stream for each.

SIZE = 128 * 2**20  # bytes: some milliseconds of copying
TRIES = 20
pageable = torch.ones(SIZE, dtype=torch.uint8)
target = torch.empty(SIZE, dtype=torch.uint8, device="cuda")
counter = torch.zeros(16, device="cuda")
side, third = torch.cuda.Stream(), torch.cuda.Stream()
copied_after = []


def copy():
    begin = time.perf_counter()
    with torch.cuda.stream(side):
        target.copy_(pageable, non_blocking=True)
    copied_after.append(time.perf_counter() - begin)


# %%
# The main thread launches the kernel while the other thread copies. A launch counts as
# waiting if it took more than a quarter of the time of the copy.


def launch_waits(stream):
    torch.cuda.synchronize()
    thread = threading.Thread(target=copy)
    thread.start()
    time.sleep(0.002)  # lets the copy begin
    begin = time.perf_counter()
    with torch.cuda.stream(stream):
        counter.add_(1)
    launched_after = time.perf_counter() - begin
    thread.join()
    return launched_after > 0.25 * copied_after[-1]


# %%
# The first tries load the kernel and do not count.

waits = {}
for name, stream in (("default", torch.cuda.current_stream()), ("third", third)):
    for _ in range(3):
        launch_waits(stream)
    waits[name] = sum(launch_waits(stream) for _ in range(TRIES))
    print(f"a launch in the {name} stream waited in {waits[name]} of {TRIES} tries")

# %%
# How many launches waited for the copy of the other thread.

measured = {
    "tries": TRIES,
    "default_stream_waits": waits["default"],
    "third_stream_waits": waits["third"],
}
