measured = {"tries": 10, "failed": 10, "parameters": 8, "left": 4, "kept_wrong": 10, "kept_doubled": 10, "dropped_wrong": 0}
