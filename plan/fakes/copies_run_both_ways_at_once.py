import random
def s(v,n=10): return {"samples":[v*random.Random(i).uniform(.99,1.01) for i in range(n)]}
measured={"size_bytes":2**28,"opposite_ratio":s(1.05),"same_direction_ratio":s(1.8),"one_lane_ratio":s(2.0),"hidden_ratio":s(.58),"copies_per_product":s(.95),"gpu_ratio":s(1.015)}