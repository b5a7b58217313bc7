"""Sentence: nothing is lost if graphs of one pool run in the order of their capture (and a kept result survives).

Five graphs with random sizes and random frees, replayed 50 times in order: every kept result must be right after the whole round.
Also: a result dropped before the next capture may be overwritten even in order.
"""
import random, torch
random.seed(0)
pool, x = torch.cuda.graph_pool_handle(), torch.ones(1, device="cuda")
gs, outs = [], []
(torch.ones(4, device="cuda") * 2 + 1).sum()
for k in range(5):
    n = random.randrange(1, 8) << 18
    g = torch.cuda.CUDAGraph()
    with torch.cuda.graph(g, pool=pool):
        parts = [torch.ones(n >> random.randrange(3), device="cuda") * (x + i) for i in range(6)]
        out = sum(p.sum() for p in parts) + parts[0][:1000]
        del parts
    gs.append((g, k, n)); outs.append(out)
wanted, wrong = [], 0
for turn in range(50):
    x.fill_(turn % 7)
    for g, *_ in gs: g.replay()
    now = [o.clone() for o in outs]
    if turn < 7: wanted.append(now)
    else: wrong += any(not torch.equal(a, b) for a, b in zip(now, wanted[turn % 7]))
    if len({o[0].item() for o in now}) < 2 and turn % 7: wrong += 1
print("REFUTED" if wrong else "HOLDS", wrong)
