"""
A fork in a capture needs its join
==================================

How do two streams work in one capture? The second waits for the first, which is the fork, and the
first waits for the second before the capture ends, which is the join. A replay then gives what the
same calls give without a graph. Without the join, the capture fails at its end.
"""

# sphinx_gallery_quiet = "nothing"
import torch

x, side = torch.randn(1000, device="cuda"), torch.cuda.Stream()


def joined():
    here = torch.cuda.current_stream()
    side.wait_stream(here)  # the fork
    with torch.cuda.stream(side):
        right = x.cos()
    left = x.sin()
    here.wait_stream(side)  # the join
    return left + right


expected, graph = joined(), torch.cuda.CUDAGraph()  # the call is the warm-up, too
with torch.cuda.graph(graph):
    y = joined()
graph.replay()
print(f"the same as without a graph: {torch.equal(y, expected)}")

# %%
# The same without the join, and with one that comes before the work.


def never_joined():
    here = torch.cuda.current_stream()
    side.wait_stream(here)
    with torch.cuda.stream(side):
        right = x.cos()
    left = x.sin()
    return left + right


def joined_too_early():
    here = torch.cuda.current_stream()
    side.wait_stream(here)
    here.wait_stream(side)
    with torch.cuda.stream(side):
        right = x.cos()
    return x.sin() + right


# %%
# The same by events.


def joined_by_events():
    fork, join = torch.cuda.Event(), torch.cuda.Event()
    fork.record()
    side.wait_event(fork)
    with torch.cuda.stream(side):
        right = x.cos()
        join.record()
    left = x.sin()
    torch.cuda.current_stream().wait_event(join)
    return left + right


# %%
# Each replay has new values, and is compared with the same calls without a graph.

TRIES = 10
home = torch.cuda.current_stream()


def attempt(way, graph):
    found = {"way": way.__name__, "type": "none", "error": "none", "right": 0}
    try:
        way()
        with torch.cuda.graph(graph):
            y = way()
        for _ in range(TRIES):
            x.normal_()
            expected = way()
            graph.replay()
            found["right"] += torch.equal(y, expected)
    except Exception as error:
        found |= {"type": type(error).__name__, "error": str(error).splitlines()[0]}
    found["strayed"] = torch.cuda.current_stream() != home
    torch.cuda.set_stream(home)
    return found


# %%
# After each attempt: does the side stream work, and a new capture that joins? At last, the graph
# whose capture failed is replayed, and is used for a second capture.


def said(work):
    try:
        work()
    except RuntimeError as error:
        return str(error).splitlines()[0]
    return "nothing"


rows = []
for way in (joined, joined_by_events, joined_too_early, never_joined):
    graph = torch.cuda.CUDAGraph()
    row = attempt(way, graph)
    with torch.cuda.stream(side):
        row["side_says"] = said(lambda: x.sum().item())
    row["next_right"] = attempt(joined, torch.cuda.CUDAGraph())["right"]
    rows.append(row)
print(*rows, sep="\n")

replay_says, second = said(graph.replay), attempt(joined, graph)
measured = {"tries": TRIES, "by_way": {"table": rows}, "replay_says": replay_says}
measured |= {"second_right": second["right"], "second_error": second["error"]}
print(replay_says, second)
