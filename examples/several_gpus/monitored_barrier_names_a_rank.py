"""
monitored_barrier names a rank
==============================

Which rank is missing? ``monitored_barrier`` of a gloo group says so, on the first rank. It names
one missing rank, or all of them with ``wait_all_ranks``. To show it in one process, the ranks are
threads.
"""

import threading
from datetime import timedelta

import torch.distributed as dist

RANKS, WAIT = 3, timedelta(seconds=2)
store, groups = dist.HashStore(), {}


def join(rank):  # in a program of its own: dist.init_process_group("gloo")
    groups[rank] = dist.ProcessGroupGloo(store, rank, RANKS, WAIT)


ranks = [threading.Thread(target=join, args=(rank,)) for rank in range(RANKS)]
for step in threading.Thread.start, threading.Thread.join:
    for rank in ranks:
        step(rank)
try:
    groups[0].monitored_barrier(WAIT)  # the other ranks do not come
except RuntimeError as error:
    print(error)

# %%
# After that, this group is of no use: a second barrier fails at once. Each case below therefore has
# a new group. Who comes to the barrier, and what is the first rank told?

try:
    groups[0].monitored_barrier(WAIT)
    again = "passed"
except RuntimeError as error:
    again = error
print(again)


def in_threads(call, numbers):
    threads = [threading.Thread(target=call, args=(number,)) for number in numbers]
    for step in threading.Thread.start, threading.Thread.join:
        for thread in threads:
            step(thread)


def told(coming, **settings):
    """The answers to the ranks that come."""
    global store
    store, answers = dist.HashStore(), {}
    in_threads(join, range(RANKS))

    def come(rank):
        try:
            groups[rank].monitored_barrier(WAIT, **settings)
            answers[rank] = "passed"
        except RuntimeError as error:
            answers[rank] = RuntimeError(str(error).splitlines()[0])

    in_threads(come, coming)
    return answers


everybody = told([0, 1, 2])
cases = {
    "both missing": told([0])[0],
    "both missing, all asked for": told([0], wait_all_ranks=True)[0],
    "third missing": told([0, 1])[0],
}
print(everybody, cases, sep="\n")

measured = {
    "ranks": RANKS,
    "passed": list(everybody.values()).count("passed"),
    "both_missing": cases["both missing"],
    "all_asked_for": cases["both missing, all asked for"],
    "third_missing": cases["third missing"],
    "again": again,
}
