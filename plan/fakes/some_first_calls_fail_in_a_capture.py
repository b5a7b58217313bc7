from pathlib import Path
s=Path("trees/graph1/examples/graphs/some_first_calls_fail_in_a_capture.py").read_text()
calls=s.split('CALLS = """')[1].split('"""')[0]
U="AcceleratorError: CUDA error: operation not permitted when stream is capturing"
F="matmul matmul-bf16 batched-matmul linear conv fft inverse".split()
rows=[]
for p in calls.replace("\n"," | ").split(" | "):
    if p:
        n,c=p.split(": ",1); f=n in F
        rows.append({"call":n,"code":c,"first":"fails" if f else "right","error":U if f else "none","second":"right"})
measured={"calls":len(rows),"by_call":{"table":rows},"first_failed":sum(r["first"]=="fails" for r in rows),"first_right":sum(r["first"]=="right" for r in rows),"second_right":len(rows)}

for _k in ['first_failed', 'first_right']: measured.pop(_k, None)  # review
