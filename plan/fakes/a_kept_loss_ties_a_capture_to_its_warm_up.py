rows=[]
for w in ("forward","training","training_detached"):
    for s in ("default","side"):
        for k in ("kept","deleted"):
            f=(w,s,k)==("training","default","kept")
            rows.append({"case":f"{w}, {s}, {k}","result":"fails" if f else "right","first":"cudaErrorStreamCaptureImplicit" if f else "none","last":"cudaErrorStreamCaptureInvalidated" if f else "none"})
measured={"rounds":3,"by_case":{"table":rows}}
