measured = {"first_gpu_size": 0, "second_gpu_size": 1, "size_in_first": 0, "size_in_second": 1, "default_max": 4096, "first_gpu_max": 4096, "second_gpu_max": 10}
