"""No value but 1 turns caching off: other spellings."""
import os, subprocess, sys
P = "import torch; x = torch.empty(2**20, device='cuda'); print(torch.cuda.memory_allocated())"
out = {}
for v in ("1", "0", "", "2", "true", "True", "TRUE", "yes", "on", "ON"):
    p = subprocess.run([sys.executable, "-c", P], env=os.environ | {"PYTORCH_NO_CUDA_MEMORY_CACHING": v}, capture_output=True, text=True)
    out[v] = (p.stdout.strip(), "warns" if "invalid value" in p.stderr else "")
print(out)
print("REFUTED" if any(o[0] == "0" for v, o in out.items() if v != "1") else "HOLDS", out)
