"""Real collectives of two ranks: is every unawaited result stale, and every awaited one right? 2 GPUs."""
import os, socket, subprocess, sys
P='''
import os, torch, torch.distributed as dist
rank=int(os.environ["RANK"]); gpu=torch.device("cuda",rank); torch.cuda.set_device(gpu)
dist.init_process_group("nccl",device_id=gpu)
bad=[]
for dtype in (torch.float32,torch.bfloat16,torch.int64):
    for size in (2**8,2**16,2**22):
        for name in ("all_reduce","broadcast","gather"):
            for wait in (False,True):
                stale=0
                for i in range(6):
                    x=torch.full((size,),1,dtype=dtype,device=gpu); out=torch.zeros(2*size,dtype=dtype,device=gpu)
                    torch.cuda.synchronize(); dist.barrier()
                    if rank==1: torch.cuda._sleep(10_000_000)
                    if name=="all_reduce": w=dist.all_reduce(x,async_op=True); seen,want=x,2
                    elif name=="broadcast":
                        x.fill_(5 if rank==1 else 1); w=dist.broadcast(x,1,async_op=True); seen,want=x,5
                    else: w=dist.all_gather_into_tensor(out,x,async_op=True); seen,want=out,1
                    if wait: w.wait()
                    y=seen.clone(); torch.cuda.synchronize(); w.wait()
                    torch.cuda.synchronize()
                    if i: stale+= bool((y!=want).any())
                if rank==0 and wait and stale: bad.append(("wait but stale",dtype,size,name,stale))
                if rank==0 and not wait and stale<5: bad.append(("no wait, but right",dtype,size,name,stale))
if rank==0: print("REFUTED" if bad else "HOLDS", bad[:8])
dist.destroy_process_group()
'''
with socket.socket() as s: s.bind(("127.0.0.1",0)); port=str(s.getsockname()[1])
env={**os.environ,"MASTER_ADDR":"127.0.0.1","MASTER_PORT":port,"WORLD_SIZE":"2","NCCL_NVLS_ENABLE":"0"}
ps=[subprocess.Popen([sys.executable,"-c",P],env={**env,"RANK":r}) for r in "01"]
[p.wait(120) for p in ps]
