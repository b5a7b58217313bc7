B = 24 * 2**20
measured = {"by_setting": {"table": [{"setting": "default", "none": False, "plain": False, "nccl": False}, {"setting": "expandable", "none": True, "plain": True, "nccl": False}]},
 "size_bytes": B, "nccl_reserved_bytes": B, "plain_driver_bytes": B, "nccl_driver_bytes": B, "swap": RuntimeError("Can't swap an already initialized allocator")}
