"""
A thread may work beside a capture
==================================

Does the work of another thread spoil a CUDA graph? It does not: the work is not recorded, and both
results are right. With ``capture_error_mode="thread_local"``, the thread may also take memory.
"""

from concurrent.futures import ThreadPoolExecutor

import torch

x = torch.ones(1000, device="cuda")
x * 2 + 1  # the warm-up
graph = torch.cuda.CUDAGraph()
pool = ThreadPoolExecutor(1)
with torch.cuda.graph(graph, capture_error_mode="thread_local"):
    # Taking memory in another thread would break the capture in the mode "global".
    loading = pool.submit(torch.empty, 2**26, device="cuda")
    y = x * 2 + 1
    batch = loading.result()
graph.replay()
print(y[0].item(), batch.shape)

# %%
# A thread adds up in a stream of its own, with kernels, copies and new tensors, while the
# main thread captures. Both go on until the other one has begun and ended.

import threading

TRIES, STEPS = 10, 200
side = torch.cuda.Stream()
pinned = torch.ones(1000).pin_memory()


def work(begun, done, found):
    with torch.cuda.stream(side):
        total, steps = torch.zeros(1000, device="cuda"), 0
        while steps < STEPS or not done.is_set():
            total += pinned.to("cuda", non_blocking=True) * x
            steps += 1
            begun.set()
        side.synchronize()
        found["right"] = (total == steps).all().item()


def captured(mode):
    begun, done, found = threading.Event(), threading.Event(), {}
    graph, a = torch.cuda.CUDAGraph(), torch.zeros(1000, device="cuda")
    thread = threading.Thread(target=work, args=(begun, done, found))
    with torch.cuda.graph(graph, capture_error_mode=mode):
        thread.start()
        begun.wait(timeout=10)
        for _ in range(STEPS):
            a += x
        done.set()
        thread.join()
    before = (a == 0).all().item()
    graph.replay()
    graph.replay()
    return found["right"], before and (a == 2 * STEPS).all().item()


# %%
# All kernels are loaded before. Two modes let the thread take memory.

ended = threading.Event()
ended.set()
work(threading.Event(), ended, {})
torch.zeros(1000, device="cuda").add_(x)
rows = []
for mode in ("thread_local", "relaxed"):
    pairs = [captured(mode) for _ in range(TRIES)]
    thread, graph = (sum(found) for found in zip(*pairs))
    rows.append({"mode": mode, "thread_right": thread, "graph_right": graph})
print(*rows, sep="\n")

measured = {
    "tries": TRIES,
    "by_mode": {"table": rows},
    "batch_bytes": batch.nbytes,
    "right": (y == 3).all().item(),
}
