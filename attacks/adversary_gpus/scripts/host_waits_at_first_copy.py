"""Claim copy-between-gpus-does-not-hold-the-host: "A copy between GPUs does not block the host".

Attack: the very first copy of each direction, which enables peer access. Both contexts exist,
and every kernel used was launched before on each GPU (copies within a GPU included), so that
only what belongs to the copy between GPUs is new. A stream is held for about a second.
Directions are first uses of their own (peer access is enabled per direction).

Refuted if one of the two first copies returns only after the held stream is free, while the
second copy of the same kind (control) does not.
"""
import time
import torch

HOLD = 1_500_000_000
gpus = ["cuda:0", "cuda:1"]
size = 2**20
t = {}
for d in gpus:
    with torch.cuda.device(d):
        x = torch.zeros(size, dtype=torch.int64, device=d)
        y = torch.zeros_like(x)
        y.copy_(x); y.fill_(1); y.sum()
        torch.cuda._sleep(1000)
        torch.cuda.current_stream().record_event()
        torch.cuda.synchronize()
        t[d] = x, y


def attempt(src, dst, hold):
    x, y = t[src][0], t[dst][1]
    with torch.cuda.device(hold):
        torch.cuda._sleep(HOLD)
        late = torch.cuda.current_stream().record_event()
    begin = time.perf_counter()
    y.copy_(x, non_blocking=True)
    took = time.perf_counter() - begin
    waited = late.query()
    for d in gpus:
        torch.cuda.synchronize(d)
    return waited, took


cases = [("first", "cuda:0", "cuda:1", "cuda:0"), ("second", "cuda:0", "cuda:1", "cuda:0"),
         ("first", "cuda:1", "cuda:0", "cuda:0"), ("second", "cuda:1", "cuda:0", "cuda:0")]
firsts = []
for name, src, dst, hold in cases:
    waited, took = attempt(src, dst, hold)
    print(f"attack: copy-between-gpus-does-not-hold-the-host: {name} copy {src}->{dst}, current stream of {hold} held: host waited {waited}, call took {took * 1e3:.2f} ms")
    if name == "first":
        firsts.append(waited)
    elif waited:
        print("attack: copy-between-gpus-does-not-hold-the-host: a second copy waited, too")
        firsts.append(True)
word = "REFUTED" if any(firsts) else "NOT REFUTED"
print(f"verdict: {word} copy-between-gpus-does-not-hold-the-host (first copies waited: {firsts})")
