def t(base, f):
    return {"table": [{"form": k, "step_s": {"samples": [base * v * x for x in (.99, 1, 1, 1.01)]}, "slowdown": {"samples": [v * x for x in (.99, 1, 1, 1.01)]}} for k, v in f.items()]}
measured = {"many_small": t(2.5e-4, {"loop": 28, "foreach": 2.5, "fused": 1, "capturable": 3.2}), "few_large": t(4.4e-4, {"loop": 2.6, "foreach": 2.6, "fused": 1, "capturable": 2.9})}
