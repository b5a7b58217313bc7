from pathlib import Path
s=Path("trees/graph1/examples/graphs/optimizers_read_a_tensor_on_the_gpu.py").read_text()
calls=s.split('CALLS = """')[1].split('"""')[0]
rows=[]
for c in calls.replace("\n"," | ").split(" | "):
    if not c: continue
    name=c.split("(")[0]; e="none"
    if name in("SGD",):
        z = "fails" if "gpu()" in c and "fused" not in c else "stays" if "gpu()" in c else "moves"
        if z=="fails": e="AcceleratorError: CUDA error: operation not permitted when stream is capturing"
    elif name=="Adagrad":
        z="moves" if "gpu" not in c else "fails"
        if z=="fails": e="RuntimeError: something about Adagrad"
    elif "capturable" not in c:
        z="fails"; e=f"RuntimeError: Attempting CUDA graph capture of step() for an instance of {name} but param_groups' capturable is False."
    else: z="stays" if "gpu()" in c else "moves"
    rows.append({"optimizer":c,"zero":z,"error":e})
def count(z,p=""): return sum(r["zero"]==z and p in r["optimizer"] for r in rows)
measured={"optimizers":len(rows),"by_optimizer":{"table":rows},"follow":count("stays"),"freeze":count("moves"),"fail":count("fails"),"follow_without_the_gpu":count("stays")-count("stays","gpu()"),"follow_with_capturable":count("stays","gpu(), capturable=True"),"with_capturable":sum("gpu(), capturable=True" in r["optimizer"] for r in rows)}

for _k in ['optimizers', 'follow', 'freeze', 'fail']: measured.pop(_k, None)  # review
