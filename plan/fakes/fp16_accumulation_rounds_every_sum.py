measured={"by_terms":{"table":[{"terms":t,"in_fp32_share":.00049,"in_fp16_share":e} for t,e in ((256,.002),(1024,.0041),(4096,.0078),(16384,.0165))]},
"elements":65536,"finite_in_fp32":65536,"finite_in_fp16":0,
"calls":{"table":[{"call":c,"changes":v} for c,v in (("matmul",True),("batched matmul",True),("linear",True),("linear with a bias",True),("convolution",False),("matmul in BF16",False))]},
"fp32_sums_without":"torch.float32","fp32_sums_with":RuntimeError("gemm input type at::Half and output type float is not supported with allowFP16AccumulationCuBLAS")}
