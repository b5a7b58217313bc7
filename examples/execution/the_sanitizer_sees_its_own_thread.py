"""
The sanitizer sees its own thread
=================================

Which programs does PyTorch's CUDA sanitizer judge wrongly? It misses what another thread or a
replayed graph writes. It knows the waits of the host, and that ``record_stream`` writes nothing.
"""

# sphinx_gallery_quiet = "nothing"
import io
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stderr, suppress

import torch
from torch.cuda._sanitizer import CUDASanitizerErrors, enable_cuda_sanitizer

# %%
# Another stream writes to a tensor that the current one uses. The thread that turned the sanitizer
# on calls both, another thread calls one of them, or the program replays a graph that writes.

enable_cuda_sanitizer()
here, side = torch.cuda.current_stream(), torch.cuda.Stream()
x = torch.ones(1000, device="cuda")


def aside(function, *arguments):
    with torch.cuda.stream(side):
        return function(*arguments)


graph = torch.cuda.CUDAGraph()
torch.cuda.synchronize()
with torch.cuda.graph(graph):
    x.zero_()


def written_by_this_thread():
    aside(x.zero_)
    x.sum()


def written_by_a_thread():
    with ThreadPoolExecutor(1) as pool:
        pool.submit(aside, x.zero_).result()
    return x.sum()


def read_by_a_thread():
    aside(x.zero_)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(x.sum).result()


def written_by_a_graph():
    aside(graph.replay)
    return x.sum()


# %%
# Are the last three wrong at all? (``_sleep``, which holds the stream, is private to PyTorch.)


def is_wrong(race):
    torch.cuda.synchronize()
    x.fill_(1)
    torch.cuda.synchronize()
    aside(torch.cuda._sleep, 20_000_000)
    return bool(race() != 0)


TRIES = 10
wrong = []
for race in (written_by_a_thread, read_by_a_thread, written_by_a_graph):
    is_wrong(race)  # not counted: the first launch of a kernel waits
    count = sum(is_wrong(race) for _ in range(TRIES))
    wrong.append({"case": race.__name__, "wrong": count})


# %%
# Three programs are right: the host waits for an event or for a number, and ``record_stream`` is
# called for a stream that has waited, before and after it reads, and for a view.


def event_awaited():
    aside(x.zero_)
    side.record_event().synchronize()
    x.sum()


def number_read():
    aside(x.zero_)
    aside(x[0].item)
    x.sum()


def recorded():
    batch = torch.ones(1000, device="cuda")
    side.wait_stream(here)
    batch.record_stream(side)
    aside(batch.sum)
    aside(batch[1:].record_stream, side)


# %%
# Each case begins with all streams idle. Each report is recorded as the operations it blames.


def blamed(race):
    torch.cuda.synchronize()
    with redirect_stderr(io.StringIO()) as text, suppress(CUDASanitizerErrors):
        race()
    return " after ".join(re.findall(r"^aten::\w+", text.getvalue(), re.M)) or "nothing"


cases = (written_by_this_thread, written_by_a_thread, read_by_a_thread)
cases += (written_by_a_graph, event_awaited, number_read, recorded)
rows = [{"case": case.__name__, "report": blamed(case)} for case in cases]
print(*rows, *wrong, sep="\n")

measured = {"tries": TRIES, "reports": {"table": rows}, "by_race": {"table": wrong}}
