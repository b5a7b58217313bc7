from pathlib import Path
s=Path("trees/graph1/examples/graphs/another_thread_may_break_a_capture.py").read_text()
calls=s.split('CALLS = """')[1].split('"""')[0]
U="CUDA error: operation not permitted when stream is capturing"
T="thread and capture failed"
G={n:(T,"worked","worked",U) for n in "memory free pin item query first-matmul".split()}
G|={"rand":("thread failed",)*3+("Offset increment outside graph capture encountered unexpectedly.",),"device-wait":(T,)*3+(U,),"own-item":("capture failed",)*3+(U,),"own-query":("capture failed","capture failed","worked",U),"own-pin":("worked","worked","worked","none")}
rows=[]
for p in calls.replace("\n"," | ").split(" | "):
    if p:
        n,c=p.split(": ",1); g,t,r,e=G.get(n,("worked","worked","worked","none"))
        rows.append({"call":n,"code":c,"by":"own" if "own" in n else "other","global":g,"error":e,"thread_local":t,"relaxed":r})
o=[r for r in rows if r["by"]=="other"]
measured={"others":len(o),"by_call":{"table":rows}}
for m in ("global","thread_local","relaxed"):
    measured[f"{m}_worked"]=sum(r[m]=="worked" for r in o)
measured["thread_local_spared"]=sum("capture" not in r["thread_local"] for r in o)

for _k in ['others', 'global_worked', 'thread_local_worked', 'relaxed_worked', 'thread_local_spared']: measured.pop(_k, None)  # review
