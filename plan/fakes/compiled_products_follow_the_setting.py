measured = {"by_precision": {"table": [
 {"precision": p, "eager": b, "compiled": b, "compiled_to_Triton": b} for p, b in (("highest",23),("high",10),("medium",10))]},
 "compiled_back_at_highest": 23, "triton_back_at_highest": 23, "compilations_at_first": 1, "compilations_after_high": 2,
 "compilations_after_medium": 2, "compilations_after_highest": 2, "compilations_after_convolutions": 2}
