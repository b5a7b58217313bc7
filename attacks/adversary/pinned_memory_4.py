"""
Sentence (transfer/pinned_memory.md:205): What an operation makes of a pinned tensor is an ordinary tensor: a sum is not pinned, and even a clone is not pinned.

Attack: Operations that the script does not try: resize_ to a larger size (new memory from the same allocator), resize_ of the storage, empty_like, new_empty, to(copy=True), contiguous of a transposed one, cat, stack, index, sort, out= into a pinned one, share_memory_, deepcopy, pickle, numpy and back, float(), and a result of an operation in place.

Expected: resize_ gives larger pinned memory, since the storage keeps its allocator; the rest is ordinary.

Refuted if: some operation that gives NEW memory (another address) from a pinned tensor gives pinned memory.
"""
import json
import time

import torch

SENTENCE = 'What an operation makes of a pinned tensor is an ordinary tensor: a sum is not pinned, and even a clone is not pinned.'


def say(**row):
    print(json.dumps(row, default=str), flush=True)


import copy
import io


def attack():
    make = lambda: torch.ones(1024, 1024, pin_memory=True)

    def resized(t):
        return t.resize_(3000, 1024)

    def storage_resized(t):
        t.untyped_storage().resize_(16 * 2**20)
        return t

    def pickled(t):
        buffer = io.BytesIO()
        torch.save(t, buffer)
        buffer.seek(0)
        return torch.load(buffer)

    works = {
        "resize_ larger": resized, "storage resize_": storage_resized, "empty_like": torch.empty_like, "new_empty": lambda t: t.new_empty(1024, 1024),
        "to(copy=True)": lambda t: t.to("cpu", copy=True), "to non_blocking": lambda t: t.to("cpu", copy=True, non_blocking=True),
        "double": lambda t: t.double(), "contiguous of t()": lambda t: t.t().contiguous(), "cat": lambda t: torch.cat([t, t]),
        "stack": lambda t: torch.stack([t, t]), "index": lambda t: t[torch.arange(512)], "sort": lambda t: t.sort()[0], "deepcopy": copy.deepcopy,
        "pickle": pickled, "resize_as_": lambda t: t.resize_as_(torch.empty(3000, 1024)), "set of storage clone": lambda t: torch.empty(0).set_(t.untyped_storage().clone()) if False else t.untyped_storage().clone(),
        "repeat": lambda t: t.repeat(2, 1), "product": lambda t: t @ t, "detach().clone()": lambda t: t.detach().clone(),
        "cuda and back, non_blocking": lambda t: t.cuda().to("cpu", non_blocking=True),
    }
    pinned = []
    for name, work in works.items():
        source = make()
        address = source.data_ptr()
        try:
            result = work(source)
            is_pinned = result.is_pinned()
            moved = result.data_ptr() != address
        except Exception as error:
            say(operation=name, error=f"{type(error).__name__}: {str(error)[:120]}")
            continue
        torch.cuda.synchronize()
        say(operation=name, pinned=is_pinned, new_memory=moved)
        if is_pinned and moved:
            pinned.append(name)
    decided = [n for n in pinned if "cuda" not in n]
    return bool(decided), {"new_pinned_memory_from": pinned}


if __name__ == "__main__":
    try:
        refuted, numbers = attack()
        verdict = "refuted" if refuted else "not refuted"
    except Exception as error:  # the attack failed: it decides nothing
        verdict, numbers = "not refuted", {"failed": f"{type(error).__name__}: {str(error)[:300]}"}
    print(json.dumps({"verdict": verdict, "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
