S = [("the same again", 1), ("other numbers", 1), ("a larger batch", 2), ("double precision", 2), ("a longer row", 2), ("the inverse", 1)]
measured = {"size_after_three": 2, "default_max": 4096, "is_function": False, "shapes": {"table": [{"second": a, "plans": b} for a, b in S]}, "size_when_full": 3, "size_with_the_first": 3, "size_with_the_second": 4, "size_when_lowered": 1}
