"""How many pinned blocks does an epoch need: by workers and prefetch_factor, and in a loop that never waits?

Expect: no workers, waiting loop 2. Workers: prefetch_factor * workers + 1 (or + 2) in a loop that is slower than the loader.
No workers, a loop that never waits and whose stream is held: as many as batches. Refutes the page's "2 blocks" as a general rule.
"""

import json
import time
import warnings

import torch
from torch.utils.data import DataLoader

warnings.simplefilter("ignore")
try:
    torch.cuda.init()
    data = torch.ones(1280, 2**16, dtype=torch.uint8)
    empty = (
        getattr(torch.accelerator, "empty_host_cache", None)
        or torch._C._host_emptyCache
    )

    def count(workers, factor, away, wait, hold=0):
        options = {"num_workers": workers, "pin_memory": True}
        if workers:
            options |= {"prefetch_factor": factor, "multiprocessing_context": "fork"}
        empty()
        before = torch.cuda.host_memory_stats()["num_host_alloc"]
        if hold:
            torch.cuda._sleep(hold)
        for batch in DataLoader(data, 64, **options):
            batch.to("cuda", non_blocking=True)
            if wait:
                torch.cuda.synchronize()
            time.sleep(away)
        torch.cuda.synchronize()
        return torch.cuda.host_memory_stats()["num_host_alloc"] - before

    for case in (
        (0, None, 0, True),
        (0, None, 0, False),
        (0, None, 0, False, 400_000_000),
        (1, 2, 0, True),
        (1, 2, 0.02, True),
        (1, 4, 0.02, True),
        (2, 2, 0.02, True),
        (4, 2, 0.02, True),
        (1, 2, 0.02, False),
    ):
        print(
            json.dumps(
                {
                    "workers_factor_away_wait_hold": case,
                    "blocks": [count(*case) for _ in range(3 if case[2] == 0 else 2)],
                    "batches": 20,
                }
            ),
            flush=True,
        )
except Exception as error:
    print(json.dumps({"error": repr(error)}))
