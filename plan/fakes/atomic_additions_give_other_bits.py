calls="""index_add 20 0|scatter_add 20 0|scatter_reduce, mean 20 0|scatter_reduce, prod 20 raises scatter_reduce_cuda_prod_|index_put 0 0|put 20 raises put_|bincount 0 0|bincount, weights 20 raises _bincount_cuda|histc 0 raises _histc_cuda with floating point input|cumsum 0 0|median 0 raises median CUDA with indices output|kthvalue 0 0|gather 20 0|indexing 0 0|embedding 0 0|embedding_bag 12 0|grid_sample 20 raises grid_sampler_2d_backward_cuda|grid_sample, aligned 20 20|avg_pool3d 20 raises avg_pool3d_backward_cuda|reflection pad 20 0|interpolate, bilinear 20 0|interpolate, bicubic 20 raises upsample_bicubic2d_backward_out_cuda"""
import re
rows=[]
for c in calls.split("|"):
    m=re.match(r"(.*?) (\d+) (.*)",c)
    rows.append({"call":m[1],"others":int(m[2]),"switched":m[3]})
measured={"runs":20,"fixed_point_error_share":.024,"calls":len(rows),"differ":sum(r["others"]>0 for r in rows),"raise":sum("raises" in r["switched"] for r in rows),"repeat":sum(r["switched"]=="0" for r in rows),
"by_type":{"table":[{"type":t,"others":o} for t,o in (("float16",20),("float32",20),("float64",20),("whole numbers",0),("int64",0),("fixed point",0))]},"by_call":{"table":rows}}
