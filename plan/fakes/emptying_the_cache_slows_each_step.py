M = 2**20
measured = {"steps": 5, "by_rows": {"table": [{"rows": 64, "calls": 0, "emptied_calls": 25, "peak_bytes": 101 * M + 512, "emptied_peak_bytes": 101 * M + 512}, {"rows": 4096, "calls": 0, "emptied_calls": 95, "peak_bytes": 380 * M, "emptied_peak_bytes": 380 * M}]}, "small_slowdown": {"samples": [3.1, 3.2, 3.3]}, "large_slowdown": {"samples": [1.4, 1.45, 1.5]}}
