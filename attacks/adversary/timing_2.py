"""
Sentence (execution/timing.md:536, 543): `.item()` already waits: do not synchronise before it. [...] `item()` copies its value to the host behind all that is queued.

Attack: A side stream is held with _sleep before item() is called in the default stream (the script has one stream only). (a) Does item() return while the side stream still runs? (b) A value that the side stream writes late is read by item() in the default stream: is it old?

Expected: item() waits for its own stream only; (a) side stream still runs, (b) an old value is read, 10 of 10.

Refuted if: in at least 8 of 10 tries item() returned while the side stream still ran (not behind ALL that is queued).
"""
import json
import time

import torch

SENTENCE = '`.item()` already waits: do not synchronise before it. [...] `item()` copies its value to the host behind all that is queued.'


def say(**row):
    print(json.dumps(row, default=str), flush=True)



def attack():
    number = torch.zeros(1, device="cuda")
    other = torch.zeros(1, device="cuda")
    side = torch.cuda.Stream()
    other.fill_(1.0), other.fill_(0.0), number.item(), other.item()
    with torch.cuda.stream(side):
        other.fill_(0.0), torch.cuda._sleep(1000)
    torch.cuda.synchronize()
    running = old = 0
    for i in range(10):
        other.fill_(0.0)
        torch.cuda.synchronize()
        with torch.cuda.stream(side):
            torch.cuda._sleep(60_000_000)
            other.fill_(1.0)
        number.item()
        running += not side.query()
        old += other.item() == 0.0
        torch.cuda.synchronize()
    say(side_still_ran=running, old_value=old, tries=10)
    return running >= 8, {"side_still_ran": running, "old_value_read": old, "tries": 10}


if __name__ == "__main__":
    try:
        refuted, numbers = attack()
        verdict = "refuted" if refuted else "not refuted"
    except Exception as error:  # the attack failed: it decides nothing
        verdict, numbers = "not refuted", {"failed": f"{type(error).__name__}: {str(error)[:300]}"}
    print(json.dumps({"verdict": verdict, "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
