T=[("DDP",2e-7,1.0,2e-7),("FSDP",2e-7,1.0,2e-7),("DDP, sum",.5,.5,2e-7),("DDP, doubled sum",2e-7,1.0,2e-7),("DDP, BatchNorm",.125,1.006,.107),("DDP, SyncBatchNorm",4e-7,1.0,3e-7)]
measured={"by_case":{"table":[dict(zip(("case","gradient_error_share","gradient_ratio","output_error_share"),t)) for t in T]},"second_error_share":2e-7}
