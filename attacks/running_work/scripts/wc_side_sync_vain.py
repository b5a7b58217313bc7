"""docs/execution/which_calls_wait.md: "What the mode reports waits for the current stream, and nothing was reported in vain."
Attack: with the current stream held, synchronize an idle side stream; a copy into pinned memory; item() and copies in an idle side stream as current.
Refuted if the debug mode reports a call that returns while the current stream is held."""
import warnings

import torch

event, side, other = torch.cuda.Event(), torch.cuda.Stream(), torch.cuda.Stream()
one, host = torch.ones((), device="cuda"), torch.zeros(1).pin_memory()
empty = torch.empty(0, device="cuda")


def item_in_side():
    with torch.cuda.stream(side):
        torch.cuda.current_stream().synchronize()


CASES = {  # True: the call is made with the held stream as the current one
    "Stream().synchronize(), idle": (lambda: side.synchronize(), True),
    "torch.Stream.synchronize(), idle": (lambda: torch.Stream("cuda").synchronize(), True),
    "ExternalStream.synchronize(), idle": (lambda: torch.cuda.ExternalStream(other.cuda_stream).synchronize(), True),
    "nonzero of nothing": (lambda: empty.nonzero(), True),
    "masked_select of nothing": (lambda: empty[empty > 0], True),
    "unique of nothing": (lambda: empty.unique(), True),
    "empty.cpu()": (lambda: empty.cpu(), True),
    "item()": (lambda: one.item(), True),
    "current_stream().synchronize() inside a side stream": (item_in_side, False),
}
vain = []
for name, (run, counts) in CASES.items():
    rows = []
    for _ in range(4):
        torch.cuda.synchronize()
        torch.cuda._sleep(20_000_000)
        event.record()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            torch.cuda.set_sync_debug_mode("warn")
            run()
            waited = event.query()
            torch.cuda.set_sync_debug_mode("default")
        rows.append((any("synchronizing" in str(w.message) and "prototype" not in str(w.message) for w in caught), waited))
    reported, waits = (sum(r[i] for r in rows[1:]) for i in (0, 1))
    print(f"{name:52} reported {reported}, waited {waits} of 3; messages {[str(w.message)[:70] for w in caught][-1:]}")
    if counts and reported == 3 and waits == 0:
        vain.append(name)
print(f"REFUTED: reported, and returned while the current stream was held: {vain}" if vain else f"NOT REFUTED: {len(CASES)} calls, no report in vain")
