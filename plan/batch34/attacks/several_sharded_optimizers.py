"""Does any optimizer built before fully_shard train the model? Others, groups, nested modules, twice. 1 GPU or CPU."""
import torch, torch.distributed as dist
from torch.distributed.fsdp import fully_shard
found=torch.accelerator.current_accelerator(check_available=True); d=found or torch.device("cpu")
dist.init_process_group("nccl" if found else "gloo",store=dist.HashStore(),rank=0,world_size=1)
mesh=dist.init_device_mesh(d.type,(1,))
bad=[]
for make in (lambda p:torch.optim.SGD(p,.1,momentum=.9),torch.optim.Adam,lambda p:torch.optim.AdamW(p,weight_decay=.5),lambda p:torch.optim.Adam(p,foreach=False)):
    for before in (True,False):
        m=torch.nn.Sequential(torch.nn.Linear(8,8),torch.nn.Sequential(torch.nn.Linear(8,8))).to(d)
        if before: o=make(m.parameters())
        for l in (m[0],m[1][0],m): fully_shard(l,mesh=mesh)
        if not before: o=make(m.parameters())
        old=[p.to_local().detach().clone() for p in m.parameters()]
        for _ in range(3): m(torch.randn(4,8,device=d)).square().mean().backward(); o.step()
        moved=any(not torch.equal(a,p.to_local()) for a,p in zip(old,m.parameters()))
        if moved==before: bad.append((str(make),before,moved))
dist.destroy_process_group()
print("REFUTED" if bad else "HOLDS", bad)
