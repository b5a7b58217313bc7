"""Async results of other collectives: stale without wait(), right with it; plain calls in their stream. 1 GPU, group of one."""
import torch, torch.distributed as dist
d = torch.device("cuda", 0); torch.cuda.set_device(d)
dist.init_process_group("nccl", store=dist.HashStore(), rank=0, world_size=1, device_id=d)
C = {"gather": lambda o, x, **k: dist.all_gather_into_tensor(o, x, **k), "list": lambda o, x, **k: dist.all_gather([o], x, **k),
     "reduce_scatter": lambda o, x, **k: dist.reduce_scatter_tensor(o, x, **k), "all_to_all": lambda o, x, **k: dist.all_to_all_single(o, x, **k)}
other = torch.cuda.Stream(); slow = torch.cuda.Stream(); bad = []
def once(call, how, size, dtype):
    x, out = torch.ones(size, device=d, dtype=dtype), torch.zeros(size, device=d, dtype=dtype); torch.cuda.synchronize()
    with torch.cuda.stream(slow):
        torch.cuda._sleep(20_000_000); w = call(out, x, **({} if how == "plain" else {"async_op": True}))
    with torch.cuda.stream(slow if how == "plain" else other):
        if how == "wait": w.wait()
        seen = out.clone()
    if how == "none": early = not slow.query()
    torch.cuda.synchronize(); return (seen == 1).all().item()
for name, call in C.items():
    for size in (2**8, 2**22):
        for dtype in (torch.float32, torch.bfloat16, torch.int64):
            once(call, "wait", size, dtype)  # loads kernels
            for how, right in (("none", False), ("wait", True), ("plain", True)):
                if once(call, how, size, dtype) is not right: bad.append((name, size, dtype, how))
print("REFUTED" if bad else "HOLDS", bad, "(an entry with 'none' only means that this one was not stale; one with 'wait' or 'plain' is serious)")
