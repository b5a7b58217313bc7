D = 4096 * 256 * 64 * 4
rows = [("differences", D), ("squares", D), ("distances", D // 64), ("argmin", 4096 * 8)]
P = sum(b for _, b in rows)
measured = {"by_line": {"table": [{"line": n, "held_bytes": b} for n, b in rows]}, "reached_at": "argmin", "peak_bytes": P, "counted_bytes": P, "chained_peak_bytes": 2 * D, "chained_after_bytes": 4096 * 8}
