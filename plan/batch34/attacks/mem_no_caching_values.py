"""No value but 1 turns caching off: other spellings."""
import os, subprocess, sys
P = "import torch; x = torch.empty(2**20, device='cuda'); print(torch.cuda.memory_allocated())"
out = {}
started = {v: subprocess.Popen([sys.executable, "-c", P], env=os.environ | {"PYTORCH_NO_CUDA_MEMORY_CACHING": v}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for v in ("1", "0", "", "2", "true", "True", "TRUE", "yes", "on", "ON")}
for v, p in started.items():
    said, told = p.communicate()
    out[v] = (said.strip(), "warns" if "invalid value" in told else "")
print(out)
print("REFUTED" if any(o[0] == "0" for v, o in out.items() if v != "1") else "HOLDS", out)
