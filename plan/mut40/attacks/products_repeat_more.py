"""Attack: 'none of the 8,000 products had other bits than the first' for both streams held, TN/NT/TT, addmm, bmm, FP16, TF32."""
# LONG 6
import os, torch
import warnings; warnings.simplefilter("ignore")
DEVICE = os.environ.get("DEVICE", "cuda"); CUDA = DEVICE == "cuda"; RUNS = 150 if CUDA else 2
torch.use_deterministic_algorithms(True)
if CUDA: streams = [torch.cuda.Stream() for _ in range(2)]
SHAPES = [(64, 65536, 64), (1, 4096, 4096), (512, 512, 512), (100, 4097, 300)] if CUDA else [(8, 64, 8)]
KINDS = {"FP16": torch.half, "BF16": torch.bfloat16, "FP32": torch.float32, "TF32": torch.float32}
LAYOUTS, CALLS = ("NN", "NT", "TN", "TT"), {
    "mm": lambda a, b, c: a @ b, "addmm": lambda a, b, c: torch.addmm(c, a, b),
    "bmm": lambda a, b, c: a.expand(3, *a.shape) @ b.expand(3, *b.shape)}
seen, first_side = {}, {}
for shape in SHAPES:
    m, k, n = shape
    for kind, dtype in KINDS.items():
        torch.backends.cuda.matmul.fp32_precision = "tf32" if kind == "TF32" else "ieee"
        torch.manual_seed(0)
        a, b, c = (torch.randn(s, device=DEVICE).to(dtype) for s in ((m, k), (k, n), (n,)))
        for layout in LAYOUTS:
            x, y = (t.T.contiguous().T if by == "T" else t for t, by in zip((a, b), layout))
            for name, call in CALLS.items():
                first = call(x, y, c)
                other = torch.zeros(2, dtype=torch.int64, device=DEVICE)
                if CUDA:
                    torch.cuda.synchronize()
                    gate = torch.cuda.Event()
                    torch.cuda._sleep(8_000_000); gate.record()  # holds both: their products then run together
                    for n_, s in enumerate(streams):
                        s.wait_event(gate)
                    for _ in range(RUNS // 2):
                        for n_, s in enumerate(streams):
                            with torch.cuda.stream(s):
                                other[n_] += (call(x, y, c) != first).any()
                    torch.cuda.synchronize()
                else:
                    other[0] += (call(x, y, c) != first).any()
                if bad := other.sum().item():
                    seen[f"{shape} {kind} {layout} {name}"] = bad
cases = len(SHAPES) * len(KINDS) * len(LAYOUTS) * len(CALLS)
print({"cases": cases, "products": cases * RUNS, "others": dict(list(seen.items())[:12]), "kinds_that_vary": len(seen)})
print(f"REFUTED {len(seen)} kinds of product vary" if seen else "HOLDS none varied")
