"""which_copy.md, line 26.
Sentence: `pin_memory()`, then copy: in a long loop, PyTorch has a pinned block from the second time on
Attack: A loop that keeps the names of its tensors until they are assigned anew, blocking and not; on an idle GPU and on one that falls behind: in which iterations does the allocator of pinned memory make a new block?
Expect: Refuted: with non_blocking copies on a busy GPU each of the first iterations makes a block; with a name that lives on, the second one does.
Refuted if: in some form of the loop an iteration after the first allocates a new block (num_host_alloc rises)
"""
import json, time
import torch

SENTENCE = '`pin_memory()`, then copy: in a long loop, PyTorch has a pinned block from the second time on'


def show(**row):
    print(json.dumps(row, default=str), flush=True)

def main():
    stats = getattr(torch.cuda, "host_memory_stats", None)

    def allocations():
        values = stats()
        key = next(k for k in ("num_host_alloc", "num_host_alloc.all.allocated") if k in values)
        return values[key]

    empty = getattr(torch.accelerator, "empty_host_cache", None) or torch._C._host_emptyCache
    sources = [torch.ones(2**20) for _ in range(12)]

    def loop(free, cycles, keep_name):
        made, pinned, gpu = [], None, None
        for source in sources:
            before = allocations()
            if keep_name:
                pinned = source.pin_memory()
                gpu = pinned.to("cuda", non_blocking=free)
            else:
                gpu = source.pin_memory().to("cuda", non_blocking=free)
            if cycles:
                torch.cuda._sleep(cycles)
            made.append(allocations() - before)
        torch.cuda.synchronize()
        return made

    rows, hit = {}, False
    for name, args in {"blocking": (False, 0, False), "free_idle": (True, 0, False), "free_busy": (True, 2_000_000, False), "blocking_named": (False, 0, True), "free_busy_named": (True, 2_000_000, True), "free_named": (True, 0, True)}.items():
        torch.cuda._sleep(1000)
        torch.cuda.synchronize()
        empty()
        rows[name] = loop(*args)
        show(loop=name, new_blocks_by_iteration=rows[name])
        hit |= sum(rows[name][1:]) > 0
    return hit, rows


try:
    refuted, numbers = main()
except Exception as error:
    import traceback
    traceback.print_exc()
    refuted, numbers = False, {"error": repr(error)[:300]}
print(json.dumps({"verdict": "refuted" if refuted else "not refuted", "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
