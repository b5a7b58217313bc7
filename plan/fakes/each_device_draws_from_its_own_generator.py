A={"a draw on the CPU":(0,1),"a draw on the GPU":(1,0),"a draw with a generator":(1,1),"draws in fork_rng":(1,1),"a new layer":(0,1),"dropout":(1,0),"dropout in eval mode":(1,1),"svd_lowrank":(1,0),"a DataLoader":(0,1),"a DataLoader with a generator":(1,1)}
S={1:(1,1),1000:(0,1),2**20:(0,1),2**21:(0,0)}
measured={"python_repeats":False,"cpu_alone_cpu":True,"cpu_alone_gpu":False,"both_cpu":True,"both_gpu":True,"cpu_state_bytes":5056,"gpu_state_bytes":16,
"by_action":{"table":[{"action":a,"cpu":bool(c),"gpu":bool(g)} for a,(c,g) in A.items()]},
"by_size":{"table":[{"size":a,"cpu":bool(c),"cuda":bool(g)} for a,(c,g) in S.items()]},
"first_alike_cpu_rand":True,"first_alike_cuda_rand":True,"first_alike_cpu_randn":False,"first_alike_cuda_randn":True}
