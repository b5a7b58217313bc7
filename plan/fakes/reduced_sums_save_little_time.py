T=(4048,4056,4080,4096,4104,4128,4144,5096,5104,5112,5120,9728,16384)
S=[(4096,t,4096) for t in T]+[(64,32768,64),(64,32768,1024)]
r=lambda x:{"samples":[x*.99,x,x*1.01,x,x]}
measured={"by_shape":{"table":[{"shape":" × ".join(map(str,s)),"reduced_speedup":r(1.0 if s[0]==4096 else 1.1),"in_fp16_speedup":r(1.02 if s[0]==4096 else 1.1)} for s in S]},"noted":13,"gained":{"samples":[0,0,0,0,0]},"fp16_by_default":True,"bf16_by_default":True,"fp16_sums_by_default":False}
