"""Attack: a Triton convolution follows cuDNN's setting instead of its own: stride 2, groups, 3-D, bias, channels last, backward."""
import os, tempfile, warnings; warnings.simplefilter("ignore")
import torch, torch._inductor.config as c
from torch.backends import cuda, cudnn
c.max_autotune_conv_backends = "TRITON"; torch.manual_seed(0); d = dict(device="cuda"); bad = []
cuda.matmul.fp32_precision = "ieee"
for name, x, w, f in (("stride", torch.randn(4, 64, 16, 16, **d), torch.randn(64, 64, 3, 3, **d), lambda x, w: torch.conv2d(x, w, stride=2)),
                      ("bias", torch.randn(4, 64, 16, 16, **d), torch.randn(64, 64, 3, 3, **d), lambda x, w: torch.conv2d(x, w, w[:, 0, 0, 0]))):
    t = f(x.double(), w.double()); found = []
    for own, wide in (("tf32", "none"), ("ieee", "tf32")):
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp(); torch.compiler.reset()
        cudnn.conv.fp32_precision, cudnn.fp32_precision = own, wide
        found.append(((torch.compile(f, mode="max-autotune-no-cudagraphs")(x, w) - t).abs().max() / t.abs().mean()).item() > 1e-4)
    print(name, "in TF32 by default, crossed:", found)
    if found != [False, True]: bad.append(name)
print("REFUTED" if bad else "HOLDS", bad)
