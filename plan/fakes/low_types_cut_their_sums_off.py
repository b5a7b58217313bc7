rows=[]
for t in (256,1024,4096,16384):
    r={"terms":t}
    for m,s in (("fp32",1e-9),("tf32",6.5e-6*t/1024),("fp16",6.4e-6*t/1024),("bf16",6.4e-6*t/1024),("fp8",4e-4),("fp8_fast",5e-3*t/1024)):
        r[f"{m}_shortfall_share"]=s; r[f"{m}_low_share"]=.5 if m=="fp32" else 1.0
    rows.append(r)
measured={"by_terms":{"table":rows},"by_mode":{"table":[{"mode":m,"low_share":.5,"small_share":.5 if m=="fp32" else .68} for m in ("fp32","tf32","fp16","bf16","fp8","fp8_fast")]}}
