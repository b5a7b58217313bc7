rows=[]
for lib in ("cublaslt","default"):
    for c in ("matmul","linear","linear with a bias","batched matmul"):
        ok=lib=="cublaslt" or c in ("linear with a bias","batched matmul")
        rows.append({"case":f"{c}, {lib}","fp16_runs":ok,"bf16_runs":ok})
m="torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction(..., allow_splitk=False) requires the cuBLASLt backend"
measured={"calls":{"table":rows},"fp16_failure":RuntimeError(m),"bf16_failure":RuntimeError(m),
"settings":{"table":[{"form":"one value","reduced":False,"split":True},{"form":"a pair","reduced":False,"split":False}]},
"unsupported":RuntimeError("allow_splitk=False is not supported when reduced precision reductions are enabled")}
