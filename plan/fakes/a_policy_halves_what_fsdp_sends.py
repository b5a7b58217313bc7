M=2**20
measured={"model_bytes":M,"ranks_alike":True,"by_case":{"table":[
{"case":"DDP","gathered_bytes":0,"reduced_bytes":M},{"case":"DDP, autocast","gathered_bytes":0,"reduced_bytes":M},{"case":"DDP, FP16 hook","gathered_bytes":0,"reduced_bytes":M//2},
{"case":"FSDP","gathered_bytes":2*M,"reduced_bytes":M},{"case":"FSDP, autocast","gathered_bytes":2*M,"reduced_bytes":M},{"case":"FSDP, policy","gathered_bytes":M,"reduced_bytes":M},
{"case":"FSDP, policy for both","gathered_bytes":M,"reduced_bytes":M//2},{"case":"FSDP, kept after forward","gathered_bytes":M,"reduced_bytes":M}]}}