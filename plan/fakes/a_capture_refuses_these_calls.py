from pathlib import Path
s=Path("trees/graph1/examples/graphs/a_capture_refuses_these_calls.py").read_text()
calls=s.split('CALLS = """')[1].split('"""')[0]
U="AcceleratorError: CUDA error: operation not permitted when stream is capturing"
P="RuntimeError: Cannot copy between CPU and CUDA tensors during CUDA graph capture unless the CPU tensor is pinned."
B=dict.fromkeys("item if print nonzero mask mask-assign unique repeat pinned synchronize wait event-wait inverse capture".split(),U)
B|={"event-query":"AcceleratorError: CUDA error: operation not permitted on an event last recorded in a capturing stream","side-left":"AcceleratorError: CUDA error: capturing stream has unjoined work","side-late":"AcceleratorError: CUDA error: dependency created on uncaptured work in another stream","default-joined":"AcceleratorError: CUDA error: operation would make the legacy stream depend on a capturing blocking stream","replay":U}
R={"cpu":P,"tolist":P,"pageable":P,"pageable-async":P,"tensor":P,"index-list":P,"generator":"RuntimeError: Attempt to increase offset for a CUDA generator not in capture mode.","seed":"RuntimeError: CUDAGeneratorImpl::set_current_seed can be called during stream capture only if new seed is the same as the original seed.","new-generator":"RuntimeError: Cannot construct a new CUDAGeneratorImpl during CUDA graph capture.","too-much":"OutOfMemoryError: CUDA out of memory.","adam":"RuntimeError: Attempting CUDA graph capture of step() for an instance of Adam but param_groups' capturable is False."}
rows=[]
for p in calls.replace("\n"," | ").split(" | "):
    if not p: continue
    n,c=p.split(": ",1)
    r="broken" if n in B else "refused" if n in R else "recorded"
    rows.append({"call":n,"code":c,"result":r,"error":B.get(n) or R.get(n) or "none","replayed":r!="broken"})
rows.sort(key=lambda r:(r["result"],r["error"]))
measured={"lines":len(rows),"by_call":{"table":rows}}
for r in ("recorded","refused","broken"): measured[r]=sum(x["result"]==r for x in rows)
measured["whole"]=measured["recorded"]+measured["refused"]
measured["replayed"]=measured["whole"]

for _k in ['recorded', 'refused', 'broken']: measured.pop(_k, None)  # review
