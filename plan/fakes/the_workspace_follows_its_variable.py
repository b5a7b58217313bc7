K = 1024; M = 2**20
def r(v, w, lt, sq, dp): return {"value": v, "workspace_bytes": w, "lt_added_bytes": lt, "square_slowdown": {"samples": [sq]}, "deep_slowdown": {"samples": [dp]}}
measured = {"values": {"table": [r("unset", 32 * M, 256 * K, 1.0, 1.0), r(":4096:2:16:8", 8320 * K, 256 * K, 1.0, 1.01), r(":4096:8", 32 * M, 256 * K, 1.0, 1.0), r(":16:8", 128 * K, 256 * K, 1.02, 2.2), r(":0:0", 0, 256 * K, 1.02, 2.3)]}}
