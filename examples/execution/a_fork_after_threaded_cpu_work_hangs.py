"""
A fork after threaded CPU work hangs
====================================

May a program fork as long as it has not used CUDA? Only if it has not computed on the CPU in
several threads either: the forked process has none of those threads, uses the GPU, and then waits
for them forever. A spawned process has threads of its own.
"""

# sphinx_gallery_evidence = {"timeout": 60}
import json
import subprocess
import sys
from pathlib import Path

# %%
# A program computes on the CPU and starts a process by one of four ways. That process first sums
# on the GPU and then makes the same kind of call on the CPU. The numbers of threads are set, so
# that they do not depend on the host.

PROGRAM = """
import json
from multiprocessing import get_context
import torch

torch.set_num_threads(4)
x = torch.rand(1000, 1000)
calls = {"exp": x.exp, "matmul": lambda: x @ x}


def work(pipe, name, threads=None):
    pipe.send(torch.ones(3, device="cuda").sum().item())
    if threads:
        torch.set_num_threads(threads)
    calls[name]()
    pipe.send("done")


def fork_first(name, pipe):
    process = get_context("fork").Process(target=work, args=(pipe, name))
    process.start()
    calls[name]()
    return process


def fork_afterwards(name, pipe):
    calls[name]()
    process = get_context("fork").Process(target=work, args=(pipe, name))
    process.start()
    return process


def fork_for_one_thread(name, pipe):
    calls[name]()
    process = get_context("fork").Process(target=work, args=(pipe, name, 1))
    process.start()
    return process


def spawn_afterwards(name, pipe):
    calls[name]()
    process = get_context("spawn").Process(target=work, args=(pipe, name))
    process.start()
    return process
"""

# %%
# Each of these runs in a process of its own, forked before any work. A process hangs if nothing
# comes from it for some seconds after its sum on the GPU; the call takes milliseconds.

PROGRAM += """

def case(way, name, results):
    pipe, other_end = get_context("fork").Pipe()
    process = way(name, other_end)
    on_the_gpu = pipe.recv() == 3.0
    ended = pipe.poll(3) and pipe.recv() == "done"
    initialised = torch.cuda.is_initialized()
    process.kill()
    process.join()
    results.put({"case": f"{way.__name__}, {name}", "on_the_gpu": on_the_gpu,
                 "hangs": not ended, "cuda_before": initialised})


if __name__ == "__main__":
    fork = get_context("fork")
    results = fork.SimpleQueue()
    ways = fork_first, fork_afterwards, fork_for_one_thread, spawn_afterwards
    cases = [fork.Process(target=case, args=(way, name, results)) for way in ways for name in calls]
    for process in cases:
        process.start()
    for process in cases:
        process.join(30)
    print(json.dumps([results.get() for process in cases if process.exitcode == 0]))
"""

Path("program.py").write_text(PROGRAM)
command = [sys.executable, "-W", "ignore", "program.py"]
process = subprocess.run(command, capture_output=True, text=True, timeout=50)
if process.returncode:
    raise RuntimeError(process.stderr[-2000:])
rows = sorted(json.loads(process.stdout.splitlines()[-1]), key=lambda row: row["case"])
print(*rows, sep="\n")

# %%
# A row for each way and call.

measured = {
    "cuda_before": any(row.pop("cuda_before") for row in rows),
    "by_case": {"table": rows},
}
