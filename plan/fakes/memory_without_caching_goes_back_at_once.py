M = 2**20
def r(v, a, res, used, kept, left, waited):
    return {"value": v, "allocated_bytes": a, "reserved_bytes": res, "used_bytes": {"samples": [used]}, "kept_bytes": kept, "left_bytes": {"samples": [left]}, "waited": waited}
C = (256 * M, 258 * M, 256 * M, 258 * M, 256 * M, 0)
measured = {"values": {"table": [r("unset", *C), r("1", 0, 0, 256 * M, 0, 0, 5), r("0", *C), r("True", *C)]}, "tries": 5, "empty_slowdown": {"samples": [50.0]}, "step_slowdown": {"samples": [5.5]}}
