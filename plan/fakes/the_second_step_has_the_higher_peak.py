M = 2**20
S = 2 * 4 * 4 * M
p = [120 * M, 152 * M, 116 * M, 92 * M]
measured = {"by_step": {"table": [{"step": i, "rows": n, "peak_bytes": a, "without_a_reset_bytes": b} for i, n, a, b in zip((1, 2, 3, 4), (2048, 2048, 1024, 256), p, (120 * M, 152 * M, 152 * M, 152 * M))]}, "second_minus_first_bytes": S, "state_bytes": S, "reset_is_current": True, "tries": 10, "busy": 10, "same": 10}
