"""Does TORCH_NCCL_BLOCKING_WAIT hold any plain call? Other collectives, other streams, functional ones. 1 GPU."""
import os
os.environ["TORCH_NCCL_BLOCKING_WAIT"]="1"
import torch, torch.distributed as dist
gpu=torch.device("cuda",0); torch.cuda.set_device(gpu)
dist.init_process_group("nccl",store=dist.HashStore(),rank=0,world_size=1,device_id=gpu)
x,y=torch.ones(1024,device=gpu),torch.ones(1024,device=gpu)
import torch.distributed._functional_collectives as fc
calls={"reduce":lambda:dist.reduce(x,0),"reduce_scatter":lambda:dist.reduce_scatter_tensor(y,x),"all_to_all":lambda:dist.all_to_all_single(y,x),
"all_gather list":lambda:dist.all_gather([y],x),"scatter":lambda:dist.scatter(y,[x],0),"functional":lambda:fc.all_reduce(x,"sum",dist.group.WORLD)}
held=[]
for side in (torch.cuda.current_stream(),torch.cuda.Stream()):
    with torch.cuda.stream(side):
        for n,c in calls.items():
            c(); torch.cuda.synchronize(); torch.cuda._sleep(40_000_000); e=side.record_event(); c()
            if e.query(): held.append(n)
            torch.cuda.synchronize()
print("REFUTED" if held else "HOLDS", held)
