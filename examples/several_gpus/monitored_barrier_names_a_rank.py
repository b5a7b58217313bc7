"""
monitored_barrier names a rank
==============================

Which rank is missing? ``monitored_barrier`` of a gloo group says so, on the first rank. It names
one missing rank, or all of them with ``wait_all_ranks``. To show it in one process, the ranks are
threads.
"""

# sphinx_gallery_quiet = "nothing"
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import torch.distributed as dist

RANKS, WAIT = 3, timedelta(seconds=2)
store = dist.HashStore()
with ThreadPoolExecutor(RANKS) as threads:  # in a program: a process for each rank
    places = [(store, rank, RANKS, WAIT) for rank in range(RANKS)]
    groups = list(threads.map(lambda place: dist.ProcessGroupGloo(*place), places))
try:
    groups[0].monitored_barrier(WAIT)  # the other ranks do not come
except RuntimeError as error:
    print(error)

# %%
# After that, this group is of no use: a second barrier fails at once. Each case below therefore
# has a new group. Which ranks come to the barrier, and what is the first one told?

try:
    groups[0].monitored_barrier(WAIT)
    again = "passed"
except RuntimeError as error:
    again = error
print(again)


def told(*coming, **settings):
    """The answers to the ranks that come."""
    store = dist.HashStore()

    def join(rank):
        return dist.ProcessGroupGloo(store, rank, RANKS, WAIT)

    def come(rank):
        try:
            groups[rank].monitored_barrier(WAIT, **settings)
            return "passed"
        except RuntimeError as error:
            return RuntimeError(str(error).splitlines()[0])

    with ThreadPoolExecutor(RANKS) as threads:
        groups = list(threads.map(join, range(RANKS)))
        return list(threads.map(come, coming))


everybody = told(0, 1, 2)
cases = {
    "both missing": told(0)[0],
    "both missing, all asked for": told(0, wait_all_ranks=True)[0],
    "third missing": told(0, 1)[0],
}
print(everybody, cases, sep="\n")

measured = {
    "ranks": RANKS,
    "passed": everybody.count("passed"),
    "both_missing": cases["both missing"],
    "all_asked_for": cases["both missing, all asked for"],
    "third_missing": cases["third missing"],
    "again": again,
}
