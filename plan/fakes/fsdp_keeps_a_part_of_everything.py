M=2**20
T=[("DDP",128,128,256,770),("FSDP",64,64,128,320),("FSDP, kept after forward",64,64,128,370),("FSDP, as a whole",64,64,128,640)]
measured={"by_way":{"table":[{"way":a,"parameter_bytes":b*M,"gradient_bytes":c*M,"state_bytes":d*M,"peak_bytes":e*M} for a,b,c,d,e in T]}}
