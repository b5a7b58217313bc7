"""
Another thread may break a capture
==================================

What may other threads do during a capture? In the default mode, "global", a call that takes memory
fails and breaks the capture. In the modes "thread_local" and "relaxed", it works.
"""

# sphinx_gallery_evidence = {"expected_warnings": ["This process"], "timeout": 120}
# sphinx_gallery_quiet = "nothing"
import threading
import warnings
from multiprocessing import get_context

import torch

# %%
# What a thread does in a stream of its own while another thread captures. The "own" lines are run
# by the capturing thread itself.

MODES = ("global", "thread_local", "relaxed")
CALLS = """
kernel: t.add_(1) | copy: t.copy_(pinned, non_blocking=True) | wait: side.synchronize()
memory: torch.empty(2**26, device="cuda") | rand: torch.rand(8, device="cuda")
free: torch.empty(2**26, device="cuda"); torch.cuda.empty_cache() | pin: host.pin_memory()
item: t[0].item() | query: event.query() | device-wait: torch.cuda.synchronize()
first-kernel: t.erfinv_() | first-matmul: m @ m | own-item: x[0].item()
own-query: event.query() | own-pin: host.pin_memory()
other-rand: torch.rand(8, device="cuda", generator=generator)
"""


def names():
    side, host, x = torch.cuda.Stream(), torch.ones(1000), torch.ones(1000).cuda()
    pinned, m, event = host.pin_memory(), torch.ones(64, 64).cuda(), torch.cuda.Event()
    generator = torch.Generator("cuda")
    with torch.cuda.stream(side):
        t = torch.zeros(1000, device="cuda")
        event.record()
    return {"torch": torch} | locals()


# %%
# Except for a "first" one, each line has run once before. The graph computes a three.


def run(code, known, failed):
    try:
        with torch.cuda.stream(known["side"]):
            exec(code, known)
    except Exception as error:
        failed["thread"] = str(error).splitlines()[0]


def attempt(pipe, name, code, mode):
    warnings.simplefilter("ignore")
    known, failed, graph = names(), {}, torch.cuda.CUDAGraph()
    task = {"target": run, "args": (code, known, failed)}
    if "first" not in name:
        run(code, known, {})
    y = known["x"] * 2 + 1
    try:
        with torch.cuda.graph(graph, capture_error_mode=mode):
            y = known["x"] * 2
            if "own" in name:
                exec(code, known)
            else:
                (thread := threading.Thread(**task)).start()
                thread.join()
            y = y + 1
    except Exception as error:
        failed["capture"] = str(error.__context__ or error).splitlines()[0]
    if "capture" not in failed:
        graph.replay()
        assert (y == 3).all().item()
    found = " and ".join(failed) + " failed" if failed else "worked"
    pipe.send((found, next(iter(failed.values()), "none")))


# %%
# A broken capture spoils more than itself, so that each case has a process of its own, forked
# before CUDA is used.

context, rows = get_context("fork"), []
parts = [part for part in CALLS.replace("\n", " | ").split(" | ") if part]
for part in parts:
    name, code = part.split(": ", 1)
    rows.append({"call": name, "code": code, "by": "own" if "own" in name else "other"})
for mode in MODES:
    pipes = []
    for row in rows:
        pipe, end = context.Pipe(duplex=False)
        task = (end, row["call"], row["code"], mode)
        context.Process(target=attempt, args=task).start()
        end.close()
        pipes.append(pipe)
    for row, pipe in zip(rows, pipes):
        row[mode], error = pipe.recv()
        row["error"] = error if row.get("error", "none") == "none" else row["error"]
print(*rows, sep="\n")

measured = {"by_call": {"table": rows}}
