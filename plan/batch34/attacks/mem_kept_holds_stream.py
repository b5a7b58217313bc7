"""free at once: a tensor of another stream with record_stream, a captured graph, a view in autograd"""
import torch
MIB = 2**20
def make(mib): return torch.empty(int(mib * MIB), dtype=torch.uint8, device="cuda")
def verdict(bad, why): print("REFUTED" if bad else "HOLDS", why)

b = torch.cuda.memory_allocated(); x = make(64); s = torch.cuda.Stream()
with torch.cuda.stream(s): torch.cuda._sleep(10**9)
x.record_stream(s); del x
st = torch.cuda.memory_stats()["active_bytes.all.current"]
print("allocated", torch.cuda.memory_allocated() - b, "active", st)
y = make(64); print("reused" if torch.cuda.memory_reserved() <= 66 * MIB else "new segment")
verdict(torch.cuda.memory_reserved() > 66 * MIB, "'free for the next one at once' needs the exception for record_stream, which the page links")
