"""Claim copy-between-gpus-does-not-hold-the-host: "A copy between GPUs does not block the host".

Attack: not one copy but up to 4096 small ones behind a held stream: each copy also queues
events and waits on two streams.

Refuted if a copy returns only after the held stream is free, although no value was asked for.
Prints after how many copies that happened (another page knows of full queues: the sentence
then lacks that limit).
"""
import time
import torch

HOLD = 1_000_000_000
x = torch.ones(16, device="cuda:0")
y = torch.zeros(16, device="cuda:1")
y.copy_(x)
torch.cuda.synchronize(0)
torch.cuda.synchronize(1)
bad = []
for held in (0, 1):
    for trial in ("warm", "counted"):
        with torch.cuda.device(held):
            torch.cuda._sleep(1000 if trial == "warm" else HOLD)
            late = torch.cuda.current_stream().record_event()
        slowest, blocked = 0.0, None
        for i in range(4096):
            begin = time.perf_counter()
            y.copy_(x, non_blocking=True)
            slowest = max(slowest, time.perf_counter() - begin)
            if trial == "counted" and late.query():
                blocked = i + 1
                break
        torch.cuda.synchronize(0)
        torch.cuda.synchronize(1)
    print(f"attack: copy-between-gpus-does-not-hold-the-host: up to 4096 copies behind a held cuda:{held}: host had waited by copy {blocked}, slowest call {slowest * 1e3:.2f} ms")
    if blocked is not None and slowest > 0.1:
        bad.append(f"cuda:{held} held: at copy {blocked}")
word = "REFUTED" if bad else "NOT REFUTED"
print(f"verdict: {word} copy-between-gpus-does-not-hold-the-host {'; '.join(bad)}")
