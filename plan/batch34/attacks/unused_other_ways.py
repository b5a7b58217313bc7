"""Frozen only AFTER the wrapping, used but not in the loss, two forwards, no gradient asked of the loss. 1 GPU or CPU."""
import torch, torch.distributed as dist, warnings; warnings.simplefilter("ignore")
f = torch.accelerator.current_accelerator(check_available=True); d = f or torch.device("cpu")
dist.init_process_group("nccl" if f else "gloo", store=dist.HashStore(), rank=0, world_size=1)
class M(torch.nn.Module):
    def __init__(s): super().__init__(); s.a, s.b, s.c = (torch.nn.Linear(8, 8) for _ in range(3))
    def forward(s, x): h = s.a(x); return s.b(h), s.c(h)
DDP = torch.nn.parallel.DistributedDataParallel; x = torch.randn(4, 8, device=d)
def run(step, frozen=None, **k):
    n = M().to(d)
    if frozen == "before": n.c.requires_grad_(False)
    m = DDP(n, **k)
    if frozen == "after": n.c.requires_grad_(False)
    done = 0
    try:
        for _ in range(3): step(m); done += 1
    except RuntimeError as e: return done, str(e)[:40]
    return done, "none"
def one(m): m(x)[0].sum().backward()
def twice(m): m(x); sum(y.sum() for y in m(x)).backward()
def both(m): sum(y.sum() for y in m(x)).backward()
got = {"in no loss": run(one), "found": run(one, find_unused_parameters=True), "frozen before": run(one, "before"), "frozen after": run(one, "after"),
       "a forward pass without a backward pass": run(twice), "both": run(both)}
dist.destroy_process_group()
print(*got.items(), sep="\n")
ok = got["in no loss"][0] == 1 and got["frozen before"][0] == 3
print("HOLDS" if ok else "REFUTED", "; 'found' must be 3 only where the unused OUTPUT is traced too; 'frozen after' says whether 'before the wrapping' is needed")
