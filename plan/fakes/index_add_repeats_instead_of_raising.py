e=RuntimeError("Expected all tensors to be on the same device, but got index is on cpu, different from other tensors on cuda:0 (when checking argument in method wrapper_CUDA_index_add_)")
measured={"notes":e,"notes_without":e,"on_the_gpu":"none"}
