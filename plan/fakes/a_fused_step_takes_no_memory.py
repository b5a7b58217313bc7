W = 16 * (1024 * 1024 + 1024) * 4
L = 1024 * 1024 * 4
r = lambda form, taken, st, n, w, c: {"form": form, "warned": w, "taken_bytes": taken, "launches": n, "captured": c, "same": True}
measured = {"parameters": 32, "weights_bytes": W, "largest_bytes": L, "by_form": {"table": [
 r("default", W, 64, 8, 0, False), r("loop", 2 * L, 64, 256, 0, False), r("foreach", W, 64, 8, 0, False), r("fused", 0, 96, 2, 0, False),
 r("capturable_loop", 2 * L, 96, 640, 1, True), r("capturable_foreach", W + 32 * 512, 96, 18, 1, True), r("capturable_fused", 0, 96, 2, 1, True)]},
 "refused": RuntimeError("Attempting CUDA graph capture of step() for an instance of AdamW but param_groups' capturable is False.")}
