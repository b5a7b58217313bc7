"""Other ways to pin or to begin: which open GPU 0 although GPU 1 was used, or set_device was called? 2 GPUs."""
import subprocess, sys
W={"empty pinned":"torch.empty(4,pin_memory=True)","full like pinned":"torch.full((4,),1.0,pin_memory=True)","non_blocking to cpu":"torch.ones(4,device='cuda:1').to('cpu',non_blocking=True)","numpy pinned":"torch.from_numpy(__import__('numpy').ones(4)).pin_memory()","backward":"torch.ones(4,device='cuda:1',requires_grad=True).sum().backward()","event":"torch.cuda.Event().record(torch.cuda.current_stream('cuda:1'))","stream":"torch.cuda.Stream('cuda:1')","seed":"torch.manual_seed(0)","empty_cache":"torch.cuda.empty_cache()","adam":"torch.optim.Adam([torch.ones(4,device='cuda:1',requires_grad=True)])"}
bad=[]
for pre,kind in (("torch.ones(4,device='cuda:1')","later"),("torch.cuda.set_device(1)","after_set")):
    ps={n:subprocess.Popen([sys.executable,"-c",f"import torch\n{pre}\n{c}\nprint(torch._C._cuda_hasPrimaryContext(0))"],stdout=subprocess.PIPE,text=True) for n,c in W.items()}
    bad+=[(kind,n) for n,p in ps.items() if p.communicate()[0].strip()!="False"]
print("REFUTED" if bad else "HOLDS", bad)
