"""Attack: tf32.md 'with cudnn.flags(enabled=True, allow_tf32=False), a convolution runs in FP32; after it, in TF32 again' with a generic "tf32"."""
import os, warnings, torch
from torch.backends import cudnn
warnings.simplefilter("ignore")
DEVICE = os.environ.get("DEVICE", "cuda")
torch.manual_seed(0)
x, k = torch.randn(4, 64, 32, 32, device=DEVICE), torch.randn(64, 64, 3, 3, device=DEVICE)
truth = torch.nn.functional.conv2d(x.double(), k.double())
def error(): return ((torch.nn.functional.conv2d(x, k) - truth).norm() / truth.norm()).item()
error(); torch.backends.fp32_precision = "tf32"
seen, said = {"before": error()}, "none"
try:
    with cudnn.flags(enabled=True, deterministic=True, allow_tf32=False):
        seen["inside"], inside = error(), cudnn.conv.fp32_precision
except RuntimeError as raised:
    said = str(raised)[:60]
seen["after"] = error()
print(seen, {"setting inside": inside, "raised at the end": said, "deterministic after": cudnn.deterministic})
bad = [n for n, is_bad in {"TF32 inside": inside == "tf32" and (DEVICE == "cpu" or seen["inside"] > 1e-5), "raises at the end": said != "none",
       "other flags are not restored": cudnn.deterministic}.items() if is_bad]
print(f"REFUTED {bad}" if bad else "HOLDS")
