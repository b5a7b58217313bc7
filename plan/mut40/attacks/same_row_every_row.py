"""Attack: 'padded: none of the 100 differ' and 'the place does not matter' for every row, BF16/FP16/TF32, addmm, linear."""
# LONG 6
import os, torch
import warnings; warnings.simplefilter("ignore")
DEVICE = os.environ.get("DEVICE", "cuda"); CUDA = DEVICE == "cuda"; N = 4096 if CUDA else 64
torch.manual_seed(0)
x0, w0 = torch.randn(2, N, N, device=DEVICE); bias0 = torch.randn(N, device=DEVICE)
TYPES = {"FP32": torch.float32, "TF32": torch.float32, "BF16": torch.bfloat16, "FP16": torch.half}
CALLS = {"mm": lambda x, w, c: x @ w, "addmm": lambda x, w, c: torch.addmm(c, x, w),
         "linear": lambda x, w, c: torch.nn.functional.linear(x, w, c)}
seen, moved_bad, pad_bad = {}, [], []
for kind, dtype in TYPES.items():
    torch.backends.cuda.matmul.fp32_precision = "tf32" if kind == "TF32" else "ieee"
    x, w, c = x0.to(dtype), w0.to(dtype), bias0.to(dtype)
    for name, call in CALLS.items():
        full = call(x, w, c)
        moved = pad = 0
        for place in (1, 7, 63, 64, 1000, N - 1):  # every row stands elsewhere
            moved += (call(x.roll(place, 0), w, c).roll(-place, 0) != full).any(1).sum().item()
        for rows in (1, 2, 16, 41, 64, 100, 513, N // 2, N - 1):
            rows = min(rows, N - 1)
            space = torch.zeros_like(x); space[:rows] = x[:rows]
            pad += (call(space, w, c)[:rows] != full[:rows]).any(1).sum().item()
        seen[f"{kind} {name}"] = (moved, pad)
        moved_bad += [f"{kind} {name}"] * bool(moved); pad_bad += [f"{kind} {name}"] * bool(pad)
print({"rows_moved,rows_padded": seen})
bad = {"moved": moved_bad, "padded": pad_bad}
print(f"REFUTED {bad}" if moved_bad or pad_bad else "HOLDS every row, in every place, padded or not")
