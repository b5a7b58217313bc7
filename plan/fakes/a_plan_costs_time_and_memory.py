measured = {"planned_slowdown": {"samples": [12.0, 12.1]}, "plans_held": 200, "size_when_cleared": 0, "driver_grew_bytes": {"samples": [7 * 2**20]}, "pytorch_grew_bytes": 0}
