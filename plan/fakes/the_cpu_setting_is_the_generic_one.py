measured = {"by_setting": {"table": [{"set": "mkldnn", "generic": "tf32", "gpu_in_tf32": True}, {"set": "mkldnn.matmul", "generic": "none", "gpu_in_tf32": False}]}}
