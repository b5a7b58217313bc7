E = (("tf32", 5.3e-3), ("tf32x3", 1.8e-6), ("bf16x3", 3e-5), ("bf16x6", 1.8e-6), ("ieee", 2.2e-6))
measured = {"default_is_tf32": True, "default_after_high_is_tf32": True,
 "by_precision": {"table": [{"input_precision": p, "max_error_share": e} for p, e in E]},
 "torch_error_share": 2.2e-6, "tf32_error_ratio": 2400.0, "tf32x3_error_ratio": 0.8, "bf16x3_error_ratio": 13.6}
