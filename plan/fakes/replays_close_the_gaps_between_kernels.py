import random
random.seed(1)
def s(x,w=.02): return {"samples":[x*(1+w*random.uniform(-1,1)) for _ in range(9)]}
measured={"by_size":{"table":[dict(size=2**p,queued_speedup=s(v,.01)) for p,v in ((10,1.75),(16,1.7),(20,1.2),(26,1.0))]},"profiled_size":2**20,"kernel_speedup":s(1.0,.01),"short_busy_share":s(.13),"long_busy_share":s(.99,.002)}
