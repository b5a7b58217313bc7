"""Attack: FlexAttention of FP32 tensors is in full FP32 by default: head widths, one query, a mask, gradients."""
import os, tempfile, warnings; os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp(); warnings.simplefilter("ignore")
import torch
from torch.nn.attention.flex_attention import flex_attention
torch.manual_seed(0); flex = torch.compile(flex_attention, dynamic=False); bad = []
for width, length in ((16, 256), (64, 1), (128, 300)):
    q = torch.randn(1, 2, length, width, device="cuda", requires_grad=True); k, v = (torch.randn(1, 2, 256, width, device="cuda") for _ in range(2))
    r = flex(q, k, v); t = (((q.double() @ k.double().mT) / width**.5).softmax(-1) @ v.double())
    e = ((r - t).abs().max() / t.abs().mean()).item()
    g = torch.autograd.grad(r.sum(), q)[0]; gt = torch.autograd.grad(t.sum(), q)[0]; eg = ((g - gt).abs().max() / gt.abs().mean()).item()
    print(width, length, f"{e:.1e} gradient {eg:.1e}")
    if e > 1e-4 or eg > 1e-3: bad.append((width, length, e, eg))
print("REFUTED" if bad else "HOLDS", bad)
