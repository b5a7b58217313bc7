"""no_sync as the very first pass, two passes in one backward, nested, and after it: how many buckets leave? 1 GPU or CPU."""
import torch, torch.distributed as dist, warnings; warnings.simplefilter("ignore")
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook
f = torch.accelerator.current_accelerator(check_available=True); d = f or torch.device("cpu")
dist.init_process_group("nccl" if f else "gloo", store=dist.HashStore(), rank=0, world_size=1)
def made():
    m = torch.nn.parallel.DistributedDataParallel(torch.nn.Sequential(*(torch.nn.Linear(64, 64) for _ in range(4))).to(d), bucket_cap_mb=.02); sent = []
    def h(state, bucket): sent.append(1); return allreduce_hook(None, bucket)
    m.register_comm_hook(None, h); return m, sent
x = torch.randn(4, 64, device=d); got = {}
m, sent = made()
with m.no_sync(): m(x).sum().backward()
got["first pass within"] = len(sent); m(x).sum().backward(); got["the pass after it"] = len(sent); sent.clear(); m(x).sum().backward(); got["and the next"] = len(sent)
m, sent = made(); m(x).sum().backward(); sent.clear()
with m.no_sync(): a = m(x).sum()
b = m(x).sum(); (a + b).backward(); got["one within, one outside, one backward"] = len(sent); sent.clear()
with m.no_sync(): a = m(x).sum()
m(x); a.backward(); got["within, then another forward pass outside"] = len(sent)
dist.destroy_process_group(); print(got)
print("HOLDS" if got["first pass within"] == 0 and got["within, then another forward pass outside"] == 0 else "REFUTED", "'the forward pass decides': the LAST forward pass before backward may, if the last number is not 0")
