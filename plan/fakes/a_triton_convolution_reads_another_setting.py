measured = {"by_setting": {"table": [{"setting": "default", "eager": 10, "compiled": 10, "compiled_to_triton": 23},
 {"setting": "crossed", "eager": 23, "compiled": 23, "compiled_to_triton": 10}]}, "from_cache_bits": 10}
