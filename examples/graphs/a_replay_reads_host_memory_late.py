"""
A replay reads host memory late
===============================

When may the host touch the pinned memory that a graph copies from or to? Not before the copies in
the replay have run: ``replay()`` returns at once, and what the host writes or reads before that
is the wrong batch or an old result.
"""

# sphinx_gallery_quiet = "nothing"
import torch

host = torch.zeros(1000, pin_memory=True)  # the graph keeps both addresses
back = torch.zeros(1000, pin_memory=True)
x = torch.zeros(1000, device="cuda")
back.copy_(x + 1)  # loads the kernel
done, graph = torch.cuda.Event(), torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    x.copy_(host, non_blocking=True)
    back.copy_(x + 1, non_blocking=True)

for value in range(3):
    host.fill_(value)
    graph.replay()
    done.record()
    done.synchronize()  # before the host reads the result, or writes the next batch
    print(back[0].item())

# %%
# The stream is held, so that the copies of a replay come late for certain; and it is not held, with
# some work in the graph before the copies as there is in a real program.

TRIES, HELD = 30, 20_000_000  # cycles: some milliseconds
busy = torch.randn(2048, 2048, device="cuda")
_ = busy @ busy
torch.cuda._sleep(1000)
longer = torch.cuda.CUDAGraph()
torch.cuda.synchronize()
with torch.cuda.graph(longer):
    for _ in range(20):
        busy @ busy
    x.copy_(host, non_blocking=True)
    back.copy_(x + 1, non_blocking=True)


def wrong(graph, held, waits):
    batches = results = 0
    for value in range(1, TRIES + 1):
        torch.cuda.synchronize()
        host.fill_(value)
        if held:
            torch.cuda._sleep(HELD)
        graph.replay()
        if waits:
            done.record()
            done.synchronize()
        results += back[0].item() != value + 1
        host.fill_(-1)  # the next batch
        torch.cuda.synchronize()
        batches += x[0].item() != value
    return {"batches": batches, "results": results}


rows = [
    {"case": f"{name}, {'waits' if waits else 'at once'}"}
    | wrong(which, name == "held", waits)
    for name, which in {"held": graph, "natural": longer}.items()
    for waits in (False, True)
]
print(*rows, sep="\n")

measured = {
    "tries": TRIES,
    "by_case": {"table": rows},
}
