s = lambda v: {"samples": [v * x for x in (.97, 1, 1.03)]}
measured = {"by_way": {"table": [{"way": w, "cold_ratio": s(c), "warm_ratio": s(h)} for w, c, h in (("expandable_segments", 2.1, 1.05), ("max_split_size_mb", 1.0, 1.02), ("roundup_power2", 1.0, 1.01), ("cudaMallocAsync", .8, 1.3))]}, "cold_over_warm": s(120)}
