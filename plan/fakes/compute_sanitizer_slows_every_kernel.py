r = lambda w, a, b: {"way": w, "step_slowdown": {"samples": [a * x for x in (.95, 1, 1.05)]}}
measured = {"by_way": {"table": [r("without the cache", 6.5, 1.05), r("memcheck without the cache", 40, 3.1), r("initcheck without the cache", 46, 3.4)]}}
