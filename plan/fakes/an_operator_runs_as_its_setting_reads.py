measured = {"states": 176,
 "by_operator": {"table": [
 {"operator": "matmul", "runs_as_read": 176, "in_tf32": 88, "unset": 18, "unset_in_fp32": 18},
 {"operator": "conv", "runs_as_read": 176, "in_tf32": 136, "unset": 11, "unset_in_fp32": 11},
 {"operator": "rnn", "runs_as_read": 176, "in_tf32": 136, "unset": 11, "unset_in_fp32": 11}]}}
