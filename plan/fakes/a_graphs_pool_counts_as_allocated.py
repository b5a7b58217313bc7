measured = {"intermediate_bytes": 64 * 2**20, "said_private_bytes": 64 * 2**20, "private_is_unused": True, "said_allocated_more": True, "fits_without_the_graph": True}
