"""Do buckets leave from the last layer to the first, in one bucket first, for other models? Biases, types, reuse, skips. 1 GPU or CPU."""
import torch, torch.distributed as dist
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook
found=torch.accelerator.current_accelerator(check_available=True); d=found or torch.device("cpu")
dist.init_process_group("nccl" if found else "gloo",store=dist.HashStore(),rank=0,world_size=1)
L=torch.nn.Linear
class Skip(torch.nn.Module):
    def __init__(s): super().__init__(); s.a,s.b,s.c=L(512,512),L(512,512),L(512,512)
    def forward(s,x): h=s.c(x); return s.a(h)+s.b(h)  # registered in another order than used
models={"biases":lambda:torch.nn.Sequential(*(L(512,512) for _ in range(6))),"skip":Skip,"two types":lambda:torch.nn.Sequential(L(512,512),L(512,512).double())}
class Two(torch.nn.Module):
    def __init__(s): super().__init__(); s.a,s.b=L(512,512),L(512,512).double()
    def forward(s,x): return s.b(s.a(x).double())
models["two types"]=Two
bad=[]
for name,make in models.items():
    m=torch.nn.parallel.DistributedDataParallel(make().to(d),bucket_cap_mb=1); seen=[]
    def h(state,bucket): seen.append((bucket.index(),len(bucket.parameters()),str(bucket.buffer().dtype))); return allreduce_hook(None,bucket)
    m.register_comm_hook(None,h)
    for i in range(3): seen.clear(); m(torch.randn(4,512,device=d)).sum().backward(); 
    first=torch.nn.parallel.DistributedDataParallel(make().to(d),bucket_cap_mb=1); s2=[]
    def h2(state,bucket): s2.append(1); return allreduce_hook(None,bucket)
    first.register_comm_hook(None,h2); first(torch.randn(4,512,device=d)).sum().backward()
    if len(s2)!=1: bad.append((name,"first pass",len(s2)))
    if [i for i,_,_ in seen]!=sorted(i for i,_,_ in seen): bad.append((name,"order",seen))
dist.destroy_process_group()
print("REFUTED" if bad else "HOLDS", bad, "(two types: one bucket per type is expected in the first pass: then restate the sentence)")
