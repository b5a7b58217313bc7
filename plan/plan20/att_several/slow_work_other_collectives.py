"""Does every collective time out behind slow work, also with the dump left on, and how late? 1 GPU."""
import os, subprocess, sys, time
P='''
import sys, torch, torch.distributed as dist
from datetime import timedelta
g=torch.device("cuda",0); torch.cuda.set_device(g)
dist.init_process_group("nccl",store=dist.HashStore(),rank=0,world_size=1,device_id=g,timeout=timedelta(seconds=1))
x,y=torch.ones(8,device=g),torch.ones(8,device=g)
f={"reduce":lambda:dist.all_reduce(x),"scatter":lambda:dist.reduce_scatter_tensor(y,x),"bcast":lambda:dist.broadcast(x,0)}[sys.argv[1]]
f(); torch.cuda.synchronize(); torch.cuda._sleep(int(sys.argv[2])*2_000_000_000); f(); torch.cuda.synchronize()
'''
bad=[]
for dump in ("0","1"):
    begin=time.time()
    ps={n:subprocess.Popen([sys.executable,"-c",P,n,"5" if dump=="0" else "90"],env={**os.environ,"TORCH_NCCL_DUMP_ON_TIMEOUT":dump},stderr=subprocess.DEVNULL) for n in ("reduce","scatter","bcast")}
    for n,p in ps.items():
        rc=p.wait(200); print(dump,n,rc,round(time.time()-begin))
        if rc!=-6: bad.append((dump,n,rc))
print("REFUTED" if bad else "HOLDS", bad, "(with the dump on this takes up to about 90 s: run it apart)")
