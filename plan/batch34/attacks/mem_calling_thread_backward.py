"""the-calling-thread-gives-backward-its-lines: custom functions, checkpoint, hooks"""
import torch
MIB = 2**20
def make(mib): return torch.empty(int(mib * MIB), dtype=torch.uint8, device="cuda")
def verdict(bad, why): print("REFUTED" if bad else "HOLDS", why)

from torch.utils.checkpoint import checkpoint
layers = torch.nn.Sequential(*(torch.nn.Linear(512, 512, device="cuda") for _ in range(3)))
x = torch.randn(256, 512, device="cuda", requires_grad=True)
layers(x).sum().backward()
torch.cuda.memory._record_memory_history(stacks="python")
with torch.autograd.set_multithreading_enabled(False):
    checkpoint(layers, x, use_reentrant=False).square().mean().backward()
ev = [e for e in torch.cuda.memory._snapshot()["device_traces"][0] if e["action"] == "alloc"]
no = sum(not e.get("frames") for e in ev)
verdict(no > 0, f"{no} of {len(ev)} without a line")
