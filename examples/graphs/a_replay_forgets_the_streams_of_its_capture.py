"""
A replay forgets the streams of its capture
===========================================

In which stream does a replay run? In the one that calls it, and in none of those in which its parts
were captured: do not wait for these. What was captured in one stream stays in its order, also where
the data would allow another; captured branches run at once, and what follows waits for all of them.
"""

import torch

x, y = torch.zeros(2, 1000, device="cuda")
side, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
x.add_(1), torch.cuda._sleep(1)  # loads the kernels
with torch.cuda.graph(graph):
    here = torch.cuda.current_stream()
    side.wait_stream(here)
    with torch.cuda.stream(side):  # a branch
        torch.cuda._sleep(50_000_000)  # cycles: some tens of milliseconds
        y.add_(1)
    x.add_(1)
    here.wait_stream(side)

done = torch.cuda.Event()
graph.replay()
done.record()
side.synchronize()
print(f"the stream of the branch is done, and the replay: {done.query()}")
torch.cuda.synchronize()

# %%
# Does a wait for that stream cover the replay? Does work in that stream hold the replay up? And
# does what follows the replay see the results of both branches?

TRIES = 10
found = dict.fromkeys(("early", "covered", "held_up", "complete"), 0)
for _ in range(TRIES):
    x.zero_(), y.zero_()
    torch.cuda.synchronize()
    graph.replay()
    done.record()
    copies = x.clone(), y.clone()
    side.synchronize()
    found["early"] += not done.query()
    done.synchronize()
    found["covered"] += bool((y == 1).all())
    found["complete"] += all(bool((copy == 1).all()) for copy in copies)
    with torch.cuda.stream(side):
        torch.cuda._sleep(500_000_000)
    graph.replay()
    done.record()
    done.synchronize()
    found["held_up"] += side.query()
    torch.cuda.synchronize()
print(found)

# %%
# Another stream that calls the replay: does the current one wait for it?

caller = torch.cuda.Stream()
found["current_waits"] = 0
for _ in range(TRIES):
    with torch.cuda.stream(caller):
        graph.replay()
        done.record()
    torch.cuda.current_stream().synchronize()
    found["current_waits"] += done.query()
    torch.cuda.synchronize()

# %%
# Four kernels that only sleep do not depend on each other. They are captured in one stream, or in
# four branches. (``_sleep`` is private to PyTorch and may change.)

PARTS = 4
branches = [torch.cuda.Stream() for _ in range(PARTS)]


def in_one_stream(parts):
    for _ in range(parts):
        torch.cuda._sleep(10_000_000)


def in_branches(parts):
    here = torch.cuda.current_stream()
    for branch in branches[:parts]:
        branch.wait_stream(here)
        with torch.cuda.stream(branch):
            torch.cuda._sleep(10_000_000)
    for branch in branches[:parts]:
        here.wait_stream(branch)


def milliseconds(work, parts):
    first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work(parts)
    for _ in range(20):
        graph.replay()  # until the clock is up
    first.record()
    graph.replay()
    last.record()
    last.synchronize()
    return first.elapsed_time(last)


alone = milliseconds(in_one_stream, 1)
shares = {}
for way in (in_one_stream, in_branches):
    shares[way.__name__] = milliseconds(way, PARTS) / alone
    print(f"{way.__name__}: {shares[way.__name__]:.1f} times as long as one")

measured = {"tries": TRIES, "parts": PARTS} | found
measured["one_after_another"] = shares["in_one_stream"] > 0.8 * PARTS
measured["at_once"] = shares["in_branches"] < 0.4 * PARTS
