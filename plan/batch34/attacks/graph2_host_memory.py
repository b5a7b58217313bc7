"""Sentence: replay() returns before its copies have run; wrong 30 of 30 at once. Try a tiny graph without work in front (idle GPU):
the host may well be slower than the copy. The page claims held and with matmuls only."""
import torch
h = torch.zeros(1000).pin_memory(); x = torch.zeros(1000, device="cuda"); g = torch.cuda.CUDAGraph()
x.copy_(h, non_blocking=True); torch.cuda.synchronize()
with torch.cuda.graph(g): x.copy_(h, non_blocking=True)
wrong = 0
for v in range(200):
    h.fill_(v); g.replay(); h.fill_(-1); torch.cuda.synchronize(); wrong += x[0].item() != v
print("idle GPU, nothing in front: wrong", wrong, "of 200"); print(("HOLDS" if wrong else "REFUTED") + f": idle GPU, nothing in front: wrong in {wrong} of 200 (REFUTED: never wrong: work in front is needed to see it)")
