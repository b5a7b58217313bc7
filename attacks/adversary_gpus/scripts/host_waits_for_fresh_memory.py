"""Claim copy-between-gpus-does-not-hold-the-host, and the page's opening: 'call `.to("cuda:1")`
... The host does not wait'. The script behind it only copies into memory that exists.

Attack: spellings that allocate (to, to copy=True, cuda(1), dtype, transposed, gaps, expanded,
slices), each with the source's and with the target's current stream held. Everything was
done once before (peer access enabled, kernels loaded); then torch.cuda.empty_cache() so that
memory comes fresh from the driver; again with memory in the cache as the control.

Refuted if a call returns only after the held stream is free.
"""
import time
import torch

HOLD = 100_000_000  # about 55 ms
base = torch.ones(4096, 4096, device="cuda:0")  # 64 MiB
torch.zeros(1, device="cuda:1")
WAYS = {
    "to": lambda: base.to("cuda:1"),
    "to non_blocking": lambda: base.to("cuda:1", non_blocking=True),
    "to copy=True": lambda: base.to("cuda:1", copy=True),
    "cuda(1)": lambda: base.cuda(1),
    "to with dtype": lambda: base.to("cuda:1", torch.float64),
    "transposed": lambda: base.T.to("cuda:1"),
    "gaps": lambda: base[:, ::3].to("cuda:1"),
    "expanded": lambda: base[:1].expand(4096, 4096).to("cuda:1"),
    "slice": lambda: base[7:9, 3:5].to("cuda:1"),
    "torch.tensor-like 1 element": lambda: base[5, 5].to("cuda:1"),
}


def sync():
    torch.cuda.synchronize(0)
    torch.cuda.synchronize(1)


def attempt(way, held):
    sync()
    with torch.cuda.device(held):
        torch.cuda._sleep(HOLD)
        late = torch.cuda.current_stream().record_event()
    begin = time.perf_counter()
    result = way()
    took = time.perf_counter() - begin
    waited = late.query()
    sync()
    return waited, took


bad = []
for name, way in WAYS.items():
    for _ in range(2):
        way()
        sync()
    for held in (0, 1):
        attempt(way, held)
        for memory in ("cached", "fresh"):
            if memory == "fresh":
                sync()
                torch.cuda.empty_cache()
            waited, took = attempt(way, held)
            print(f"attack: copy-between-gpus-does-not-hold-the-host: {name}, {memory} memory, cuda:{held} held: host waited {waited}, call took {took * 1e3:.2f} ms")
            if waited:
                bad.append(f"{name}/{memory}/cuda:{held}")
word = "REFUTED" if bad else "NOT REFUTED"
print(f"verdict: {word} copy-between-gpus-does-not-hold-the-host {'; '.join(bad)}")
