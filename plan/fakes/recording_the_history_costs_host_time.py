s = lambda v: {"samples": [v * 1e-6 * x for x in (.98, 1, 1.02)]}
measured = {"by_way": {"table": [{"way": "no stacks", "added_s": s(1)}, {"way": "python", "added_s": s(3)}, {"way": "default", "added_s": s(20)}]}, "off_pair_s": s(2.6), "allocations": 1000, "kept_allocations": 1000, "kept_frees": 1000, "limit": 100, "kept_with_limit": 100, "kept_after_stopping": 0}
