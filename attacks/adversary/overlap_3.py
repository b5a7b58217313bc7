"""
Sentence (transfer/overlap.md:248): With a computation that is called after it, a copy from pageable memory overlaps for [about nothing], even in a stream of its own: the host fills a staging buffer, and launches nothing meanwhile.

Attack: The script has one size, 64 MiB, and an idle GPU. Here short pageable copies (4 KiB to 1 MiB) in a side stream that is held: does the call return at once, and is the computation, called after it, done before the copy is? Also sixty short copies in a row on an idle GPU, beside a computation called after them.

Expected: copies up to 64 KiB (and a few of 1 MiB) return at once behind a held stream; the host launches the computation, which runs while the copy is still to be made.

Refuted if: at some size, in at least 8 of 10 tries, the call returned and the computation called after it ended while the copy's stream was still not done.
"""
import json
import time

import torch

SENTENCE = 'With a computation that is called after it, a copy from pageable memory overlaps for [about nothing], even in a stream of its own: the host fills a staging buffer, and launches nothing meanwhile.'


def say(**row):
    print(json.dumps(row, default=str), flush=True)



def attack():
    pageable = torch.ones(2**20, dtype=torch.uint8)
    gpu = torch.zeros(2**20, dtype=torch.uint8, device="cuda")
    factor = torch.ones(1024, 1024, device="cuda")
    product = torch.mm(factor, factor)
    side = torch.cuda.Stream()
    done = torch.cuda.Event()
    found = {}
    for size in (4096, 65536, 65537, 2**18, 2**20):
        early = ran = 0
        for i in range(11):
            torch.cuda.synchronize()
            with torch.cuda.stream(side):
                torch.cuda._sleep(60_000_000)
                gpu[:size].copy_(pageable[:size], non_blocking=True)
            returned = not side.query()
            torch.mm(factor, factor, out=product)
            done.record()
            done.synchronize()
            beside = not side.query()
            if i:  # the first loads
                early += returned
                ran += beside
        found[size] = ran
        say(size=size, returned_early=early, computed_while_the_copy_was_pending=ran, tries=10)
    return any(n >= 8 for n in found.values()), {"computed_before_the_copy_was_made_of_10": found}


if __name__ == "__main__":
    try:
        refuted, numbers = attack()
        verdict = "refuted" if refuted else "not refuted"
    except Exception as error:  # the attack failed: it decides nothing
        verdict, numbers = "not refuted", {"failed": f"{type(error).__name__}: {str(error)[:300]}"}
    print(json.dumps({"verdict": verdict, "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
