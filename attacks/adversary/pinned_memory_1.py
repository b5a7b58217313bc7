"""
Sentence (transfer/pinned_memory.md:118): On pageable memory the same call does not return that early (0 of the calls did): the host is busy filling the staging buffer.

Attack: The script has one size, 16 MiB, on an idle GPU. Here 1 byte to 1 MiB, non_blocking=True, on an idle stream and behind a held one; early = the call took less than half of the time until the copy was done (the script's own rule).

Expected: behind a held stream, copies of up to 64 KiB return at once in all tries (and a few of 1 MiB).

Refuted if: at some size at least 8 of 10 pageable calls returned early.
"""
import json
import time

import torch

SENTENCE = 'On pageable memory the same call does not return that early (0 of the calls did): the host is busy filling the staging buffer.'


def say(**row):
    print(json.dumps(row, default=str), flush=True)



def attack():
    pageable = torch.ones(2**24, dtype=torch.uint8)
    gpu = torch.empty(2**24, dtype=torch.uint8, device="cuda")
    stream = torch.cuda.current_stream()

    def early(size, hold):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        if hold:
            torch.cuda._sleep(20_000_000)
        gpu[:size].copy_(pageable[:size], non_blocking=True)
        returned = time.perf_counter()
        torch.cuda.synchronize()
        return returned - begin < 0.5 * (time.perf_counter() - begin)

    found = {}
    for size in (4, 4096, 65536, 65537, 2**18, 2**20, 2**24):
        for hold in (False, True):
            early(size, hold)
            found[f"{size} {'held' if hold else 'idle'}"] = sum(early(size, hold) for _ in range(10))
        say(size=size, idle=found[f"{size} idle"], held=found[f"{size} held"], tries=10)
    return any(n >= 8 for n in found.values()), {"early_of_10": found}


if __name__ == "__main__":
    try:
        refuted, numbers = attack()
        verdict = "refuted" if refuted else "not refuted"
    except Exception as error:  # the attack failed: it decides nothing
        verdict, numbers = "not refuted", {"failed": f"{type(error).__name__}: {str(error)[:300]}"}
    print(json.dumps({"verdict": verdict, "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
