"""
A child keeps the memory of an ended process
============================================

Is the GPU's memory free again once a process that was killed is gone? Not while a child lives that
the process forked after it had used CUDA: the child has inherited what holds the memory. A child
that runs another program has not.
"""

# sphinx_gallery_evidence = {"expected_warnings": ["This process"]}
import os
import signal
import subprocess
import time
from multiprocessing import Pipe, get_context

import torch

# %%
# A process makes a tensor and then has a child: none, one that it forks, or one that runs another
# program. The child only sleeps. Then the process is killed.

TENSOR = 4 * 2**30  # bytes


def no_child():
    return 0


def forked_child():
    child = os.fork()
    if child == 0:
        time.sleep(30)
        os._exit(0)
    return child


def child_program():
    return subprocess.Popen(["sleep", "30"]).pid


def obey(pipe, have_child):
    pipe.recv()
    kept = torch.zeros(TENSOR, dtype=torch.uint8, device="cuda")
    kept[:9].sum().item()
    pipe.send(have_child())
    pipe.recv()


# %%
# The processes are forked before CUDA is used here, and each waits for its turn.


def start(have_child):
    pipe, other_end = Pipe()
    process = get_context("fork").Process(target=obey, args=(other_end, have_child))
    process.start()
    return pipe, process


CHILDREN = no_child, forked_child, child_program
started = {have_child.__name__: start(have_child) for have_child in CHILDREN}
torch.zeros(1, device="cuda")


def is_taken(free_before, seconds=1.5):
    """Is most of the tensor's memory still taken when some time has passed?"""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        if free_before - torch.cuda.mem_get_info()[0] < TENSOR / 2:
            return False
        time.sleep(0.05)
    return True


# %%
# Is the memory still taken when the process has ended, and when the child has ended, too?

table = []
for name, (pipe, process) in started.items():
    free = torch.cuda.mem_get_info()[0]
    pipe.send("make")
    child = pipe.recv()
    row = {"child": name, "taken_before": is_taken(free, 0.1)}
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    row["taken_after"] = is_taken(free)
    if child:
        os.kill(child, signal.SIGKILL)
    row["taken_after_both"] = is_taken(free)
    table.append(row | {"exit_code": process.exitcode})
    print(table[-1])

# %%
# A row for each child.

measured = {"tensor_bytes": TENSOR, "by_child": {"table": table}}
