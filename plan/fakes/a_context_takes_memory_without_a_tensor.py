M = 2**20
S = "imported counted context empty kernel product convolution".split()
lz = [0, 0, 527, 529, 621, 719, 1103]; eg = [0, 0, 1261, 1263, 1263, 1297, 1580]
res = [0, 0, 0, 2, 2, 34, 36]
s = lambda v: {"samples": [v * M]}
measured = {"stages": {"table": [{"stage": n, "lazy_taken_bytes": s(a), "lazy_outside_bytes": s(a - r), "eager_taken_bytes": s(b), "eager_outside_bytes": s(b - r)} for n, a, b, r in zip(S, lz, eg, res)]},
 "eager_over_lazy_ratio": {"samples": [1261 / 527]}, "product_added_bytes": s((719 - 34) - (621 - 2))}
