W = [("read_and_set_back","tf32","ieee",True),("cudnn_flags","tf32","tf32",True),("compiling","tf32","ieee",True),("exporting","tf32","tf32",True),("set_none_afterwards","ieee","ieee",False),("nothing","ieee","ieee",False)]
measured = {"by_way": {"table": [dict(zip(("way","matmul","cudnn","in_tf32"), w)) for w in W]},
 "follows_tf32_after_compiling_in_fp32": False, "own_after_compiling": "ieee",
 "flags_after_a_newer_setting": "RuntimeError"}
