"""Page: execution/races.md. "A tensor that is made inside `with torch.cuda.stream(side)` gets memory of that stream, and
needs no wait".
Attack: the memory of that stream is not free of readers: a tensor made in side was read by the held current stream and
deleted (a) without record_stream, (b) with it. A new one is made and filled inside the block, without any wait.
Refuted if the sum of the deleted one is wrong in (a): the tensor made in the block did need a wait.
"""
import torch

here, side = torch.cuda.current_stream(), torch.cuda.Stream()
COUNT = 2**20


def attempt(record):
    torch.cuda.synchronize()
    with torch.cuda.stream(side):
        old = torch.ones(COUNT, device="cuda")
    here.wait_stream(side)  # as the page says
    torch.cuda._sleep(20_000_000)
    total = old.sum()
    address = old.data_ptr()
    if record:
        old.record_stream(here)
    del old
    with torch.cuda.stream(side):
        new = torch.full((COUNT,), 2.0, device="cuda")  # made in the block: "needs no wait"
    reused = new.data_ptr() == address
    torch.cuda.synchronize()
    return total.item() != COUNT, reused


attempt(False)
bad = {}
for record in (False, True):
    wrong, reused = map(sum, zip(*(attempt(record) for _ in range(20))))
    bad[record] = wrong
    print(f"record_stream {record}: reused {reused} of 20, sum wrong {wrong} of 20")
if bad[False]:
    print(f"REFUTED: made inside the block, filled without a wait, it overwrote what the current stream still read in {bad[False]} of 20")
else:
    print("NOT REFUTED: a deleted tensor of side's own memory, with and without record_stream")
