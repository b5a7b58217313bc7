same="RuntimeError: Expected all tensors to be on the same device, but got mat1 is on cuda:0, different from other tensors on cuda:0 (when checking argument in method wrapper_CUDA_addmm)"
cpu="RuntimeError: Expected all tensors to be on the same device, but got mat1 is on cpu, different from other tensors on cuda:0 (when checking argument in method wrapper_CUDA_addmm)"
v="DistributedDataParallel device_ids and output_device arguments only work with single-device/multiple-device GPU modules or CPU modules, but got device_ids [0], output_device None, and module parameters {device(type='cpu')}."
z="DistributedDataParallel is not needed when a module doesn't have any parameter that requires a gradient."
n="not called"
T=[("left out","accepted",cpu,"cuda:0"),("index","accepted","cuda:0","cuda:0"),("string","accepted","cuda:0","cuda:0"),("bare string","accepted","cuda:0","cuda:0"),("device","accepted","cuda:0","cuda:0"),
("empty","accepted",cpu,"cuda:0"),("integer","TypeError: object of type 'int' has no len()",n,n),
("index, model on the CPU","ValueError: "+v,n,n),("left out, model on the CPU","RuntimeError: No backend type associated with device type cpu",n,n),("index, nothing to train","RuntimeError: "+z,n,n)]
measured={"by_form":{"table":[dict(zip(("form","wrapped","from_cpu","from_gpu"),[t[0]]+[v.split(":")[0] if "Error" in v else v for v in t[1:]])) for t in T]},"integer":TypeError("object of type 'int' has no len()"),"without":RuntimeError(cpu[14:]),"model_on_cpu":ValueError(v),"frozen":RuntimeError(z)}