R = (("default", 1.2e-6, False), ("high", 1.9e-3, True), ("medium", 1.9e-3, True), ("highest", 1.2e-6, False), ("matmul tf32", 1.9e-3, True))
measured = {"by_setting": {"table": [{"setting": a, "max_error_share": b, "in_tf32": c} for a, b, c in R]},
 "default_error_share": 1.2e-6, "tf32_error_ratio": 1580.0, "fused_error_ratio": 1.4}
