measured = {"by_layer": {"table": [
 {"layer": "linear", "tf32_throughout_share": 2.8e-4, "forward_alone_share": 2.8e-4, "fp32_throughout_share": 0.0},
 {"layer": "convolution", "tf32_throughout_share": 3.7e-4, "forward_alone_share": 3.7e-4, "fp32_throughout_share": 0.0},
 {"layer": "recurrent", "tf32_throughout_share": 3.2e-4, "forward_alone_share": 3.1e-4, "fp32_throughout_share": 0.0}]},
 "custom_function_is_full": True, "without_it_is_full": False}
