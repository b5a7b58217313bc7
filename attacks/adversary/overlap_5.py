"""
Sentence (transfer/overlap.md:116-117): The host does not wait for either. With the first copy or the first computation of the rule's loop held up, it had queued the whole loop [of 8 batches] before the last copy was made.

Attack: The rule's own generator over 8, 400 and 1500 batches (steady state, small batches), with the first computation, or the first copy, held for about 200 ms. How long was the host in the loop, and was the hold over when it left?

Expected: with 8 batches the host is done at once; with some hundred the queue of the GPU (about a thousand entries) is full, and the host waits in the loop for the held work.

Refuted if: at 400 or 1500 batches the host left the loop only after the held work was done, in at least 2 of 3 tries, while at 8 batches it did not, and the loop takes the host below 0.1 s (half of the hold) when nothing is held. (Decided on event.query() of an event right behind the hold.)
"""
import json
import time

import torch

SENTENCE = "The host does not wait for either. With the first copy or the first computation of the rule's loop held up, it had queued the whole loop [of 8 batches] before the last copy was made."


def say(**row):
    print(json.dumps(row, default=str), flush=True)



main = side = None


def prefetched(batches):
    def send(batch):
        side.wait_stream(main)
        with torch.cuda.stream(side):
            return batch.to("cuda", non_blocking=True), side.record_event()

    sent = map(send, batches)
    ahead = next(sent, None)
    while ahead:
        (batch, copied), ahead = ahead, next(sent, None)
        main.wait_event(copied)
        yield batch


def attack():
    global main, side
    main, side = torch.cuda.current_stream(), torch.cuda.Stream()
    batch = torch.ones(2**14).pin_memory()
    cycles = 400_000_000
    held = torch.cuda.Event()

    def loop(count, late):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        if late == "copies":
            with torch.cuda.stream(side):
                torch.cuda._sleep(cycles)
                held.record()
        first, total = True, torch.zeros((), device="cuda")
        for b in prefetched([batch] * count):
            if first and late == "work":
                torch.cuda._sleep(cycles)
                held.record()
            first = False
            total += b.sum()
        took, over = time.perf_counter() - begin, held.query()
        torch.cuda.synchronize()
        return over, took

    torch.cuda._sleep(1000)
    held.record()
    loop(8, None), loop(8, "work"), loop(8, "copies")
    found, own = {}, {}
    for count in (8, 400, 1500):
        loop(count, None)
        own[count] = loop(count, None)[1]
        for late in ("work", "copies"):
            tries = [loop(count, late) for _ in range(2 if count == 8 else 3)]
            found[f"{count} {late}"] = sum(over for over, _ in tries)
            say(batches=count, late=late, host_waited=found[f"{count} {late}"], tries=len(tries), took_ms=[round(t * 1e3, 1) for _, t in tries])
    waited = [k for k, n in found.items() if not k.startswith("8 ") and n >= 2 and own[int(k.split()[0])] < 0.1]
    free = all(found[f"8 {late}"] == 0 for late in ("work", "copies"))
    return bool(waited) and free, {"host_waited_in": found, "loop_s_without_hold": own}


if __name__ == "__main__":
    try:
        refuted, numbers = attack()
        verdict = "refuted" if refuted else "not refuted"
    except Exception as error:  # the attack failed: it decides nothing
        verdict, numbers = "not refuted", {"failed": f"{type(error).__name__}: {str(error)[:300]}"}
    print(json.dumps({"verdict": verdict, "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
