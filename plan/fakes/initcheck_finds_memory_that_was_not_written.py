r = lambda c, a, b, s: {"case": c, "cached_found": a, "uncached_found": b, "sevens": s}
measured = {"has_old_tool": False, "by_case": {"table": [r("empty", False, True, True), r("half", False, True, True), r("zeros", False, False, False)]}}
