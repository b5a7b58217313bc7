"""
A freed graph ends a capture
============================

Why does a capture fail although its own work is allowed? Meanwhile, Python's garbage collector may
free another graph, which ends the capture; only a warning says so. Collect before, or have PyTorch
begin each capture with a collection.
"""

# sphinx_gallery_evidence = {"timeout": 150}
# sphinx_gallery_quiet = "nothing"
import gc

import torch

x = torch.ones(1000, device="cuda")
old = torch.cuda.CUDAGraph()
with torch.cuda.graph(old):
    y = x * 2
holder = [old]
holder.append(holder)  # a cycle, which only the collector frees
del old, holder

gc.collect()  # now, and not during the next capture
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    y = x * 2
    lists = [[] for _ in range(20_000)]  # so many that the collector runs by itself
    y = y + 1
graph.replay()
print(y[0])

# %%
# This program captures while another graph is freed: one in a cycle, or one of a graphed callable,
# which is a cycle by itself up to PyTorch 2.14. One that is kept may also be deleted. A failed
# capture may spoil its process, so each try has one of its own, forked before CUDA is used.

PROGRAM = """
import gc, json, os, signal, sys, tempfile, threading
freed, when, way, mode, tries = sys.argv[1:]
os.environ["TORCH_CUDAGRAPH_GC"] = "1" if way == "variable" else "0"
import torch
lists, kept = [], []

def thread():
    (thread := threading.Thread(target=gc.collect)).start()
    thread.join()

WHEN = {"collect": gc.collect, "thread": thread, "del": kept.clear}
WHEN["by itself"] = lambda: lists.extend([] for _ in range(20_000))
plain = lambda x: x * 2 + 1

def work(x):
    y = x * 2
    if torch.cuda.is_current_stream_capturing(): WHEN[when]()  # not in a warm-up
    return y + 1

def graphed(work, x):
    if freed == "callable": return torch.cuda.make_graphed_callables(work, (x,))
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, capture_error_mode=mode):
        y = work(x)
    return lambda x: (graph.replay(), y)[1]

def attempt():
    x = torch.ones(64, device="cuda", requires_grad=freed == "callable")
    graphed(plain, x)  # loads what the captures below need
    gc.collect()
    holder = [graphed(plain, x)]
    {"graph": holder, "kept": kept}.get(freed, []).append(holder)
    del holder
    {"collected": gc.collect, "disabled": gc.disable}.get(way, int)()
    if way == "setting": torch.compiler.config.force_cudagraph_gc = True
    return graphed(work, x)(x).equal(plain(x))

def told(said, right=False, error="none"):
    os.dup2(said.fileno(), 2)
    signal.alarm(20)  # ends a try that hangs
    try:
        right = attempt()
    except RuntimeError as raised:
        error = str(raised).splitlines()[0]
    said.seek(0)
    warned = "not permitted when stream is capturing (function reset)" in said.read()
    return right, "previous error during capture" in error, warned, error

for _ in range(int(tries)):
    if os.fork() == 0:
        print(json.dumps(told(tempfile.TemporaryFile("w+"))), flush=True)
        os._exit(0)
    if os.wait()[1]: print('[false, false, false, "died"]', flush=True)
"""

# %%
# What is freed, what frees it, what is done before, and the error mode of the capture.

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

TRIES, MODES = "5", ("global", "thread_local", "relaxed")
CASES = ["kept, collect, as it is, global", "kept, del, as it is, global"]
for mode in MODES:
    CASES += [f"graph, {w}, as it is, {mode}" for w in ("collect", "thread")]
for way in ("as it is", "collected", "setting", "variable", "disabled"):
    CASES += [f"{what}, by itself, {way}, global" for what in ("graph", "callable")]


def run(case):
    command = [sys.executable, "-Wignore", "-c", PROGRAM, *case.split(", "), TRIES]
    answers = subprocess.run(command, stdout=subprocess.PIPE, timeout=120).stdout
    *counts, errors = zip(*map(json.loads, answers.splitlines()))
    sums = dict(zip(("right", "ended", "warned"), map(sum, counts)))
    return {"case": case, **sums, "error": errors[0]}


with ThreadPoolExecutor(9) as pool:
    rows = list(pool.map(run, CASES))
print(*rows, sep="\n")
measured = {"tries": int(TRIES), "by_case": {"table": rows}}
