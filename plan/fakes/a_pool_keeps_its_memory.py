B = 2**26
measured = {"size_bytes": B, "held_bytes": B, "held_when_free_bytes": B, "taken_outside_bytes": B, "taken_again_bytes": 0, "reused": True, "returned_by_the_pool_bytes": B, "output_inside": True, "gradients": 2, "gradients_inside": 0, "gradients_inside_of_one_thread": 2}
