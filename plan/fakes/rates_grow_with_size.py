import math
S=(256,512,1024,2048,4096,8192,12288)
P={"fp64":60,"fp32":50,"tf32":420,"bf16":815,"fp8":1450}
s=lambda x:{"samples":[x*.99,x,x*1.01]}
L={"fp64":9e-6,"fp32":8e-6,"tf32":6e-6,"bf16":5e-6,"fp8":5e-6}
f=lambda n,k: P[n]*1e12/(1+L[n]*P[n]*1e12/(2*k**3))
measured={"by_size":{"table":[{"size":k}|{f"{n}_flop_per_s":s(f(n,k)) for n in P} for k in S]},"best":{"table":[{"type":n,"best_flop_per_s":s(P[n]*1e12)} for n in P]},
"by_width":{"table":[{"case":f"{n}, {w}","speed_share":s(v)} for n in P for w,v in ((10922,{"bf16":.4,"tf32":.7}.get(n,.98)),(10928,.97)) if not (n=="fp8" and w==10922)]}}
