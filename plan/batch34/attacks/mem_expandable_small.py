"""expandable segments cure: small tensors (up to 1 MiB), side streams, tensors that do not contain a page"""
import os
os.environ["PYTORCH_ALLOC_CONF"] = "expandable_segments:True"
import torch
MIB = 2**20
def make(mib): return torch.empty(int(mib * MIB), dtype=torch.uint8, device="cuda")
def verdict(bad, why): print("REFUTED" if bad else "HOLDS", why)

keep = []
for _ in range(200):
    big = [torch.empty(2**18, dtype=torch.uint8, device="cuda") for _ in range(8)]
    keep.append(torch.empty(2**10, dtype=torch.uint8, device="cuda")); del big
torch.cuda.empty_cache(); r = torch.cuda.memory_reserved() / MIB
s = torch.cuda.Stream()
with torch.cuda.stream(s): y = make(3)
print("small pool reserved", r, "with a stream", torch.cuda.memory_reserved() / MIB)
verdict(r > 20, "reserved after 200 rounds of small tensors")
