M = 2**20
def r(case, w, unit, layers, su, share):
    m, b = case.rsplit("_", 1)
    saved = layers * {"linear": 1, "convolution": 2, "transformer": 16}[m] * unit
    pred = unit + 3 * w + max(saved, 2 * w)
    return {"case": case, "model": m, "batch": b, "weights_bytes": w, "state_bytes": 2 * w, "gradients_bytes": w + 512, "unit_bytes": unit, "layers": layers, "saved_units": su, "predicted_bytes": pred, "peak_bytes": round(share * pred), "peak_share": share, "peak_in": "step" if b == "small" and m != "convolution" else "backward"}
wl = 12 * (2**20 + 1024) * 4; wt = 6 * (12 * 2**20 + 13 * 1024) * 4; wc = 12 * (64 * 64 * 9 + 128) * 4
measured = {"by_case": {"table": [r("linear_small", wl, 64 * 4096, 12, 1.0, 1.0), r("linear_large", wl, 16384 * 4096, 12, 1.0, 1.12), r("convolution_small", wc, 2**20, 12, 2.01, 1.15), r("convolution_large", wc, 64 * 2**20, 12, 2.0, 1.2), r("transformer_small", wt, 2**21, 6, 16.2, 1.0), r("transformer_large", wt, 2**25, 6, 16.05, 1.08)]}}
