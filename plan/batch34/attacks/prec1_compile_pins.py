"""Attack: torch.compile pins the matmul setting whatever it compiles: default backend, a graph break, a second call, an exported program."""
import os, tempfile, warnings; os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp(); warnings.simplefilter("ignore")
import torch
from torch.backends import cuda
x = torch.randn(64, 64, device="cuda")
def brk(x): x = x.sin(); torch._dynamo.graph_break(); return x.cos()
class M(torch.nn.Module):
    def forward(self, x): return x.sin()
def inductor(): torch.compile(torch.sin)(x)
def broken(): torch.compile(brk, backend="eager")(x)
def again():
    f = torch.compile(torch.cos, backend="eager"); f(x); cuda.matmul.fp32_precision = "none"; f(x)
def only_decorated(): torch.compile(torch.sin)
def export(): torch.export.export(M(), (x,))
def trace(): torch.jit.trace(M(), (x,))
def vmap(): torch.vmap(torch.sin)(x)
out = {}
for way in (inductor, broken, again, only_decorated, export, trace, vmap):
    torch.compiler.reset(); cuda.matmul.fp32_precision = "none"; torch.backends.fp32_precision = "tf32"
    way(); torch.backends.fp32_precision = "ieee"; out[way.__name__] = cuda.matmul.fp32_precision
print(out)
print("HOLDS" if out["inductor"] == out["broken"] == "tf32" else "REFUTED", "; a second call without compiling pins:", out["again"] == "tf32")
