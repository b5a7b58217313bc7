"""Attack: setting torch.backends.mkldnn.fp32_precision sets the generic precision: with an own cuDNN setting, with flags(), and back."""
import torch
from torch.backends import cuda, cudnn, mkldnn
bad = []
mkldnn.fp32_precision = "tf32"; bad += ["not generic"] * (torch.backends.fp32_precision != "tf32" or cuda.matmul.fp32_precision != "tf32")
cudnn.fp32_precision = "ieee"; bad += ["cudnn did not shield"] * (cuda.matmul.fp32_precision != "ieee"); cudnn.fp32_precision = "none"
mkldnn.fp32_precision = "none"
with mkldnn.flags(enabled=True, fp32_precision="tf32"):
    print("in mkldnn.flags: generic", torch.backends.fp32_precision, "GPU", cuda.matmul.fp32_precision, "CPU", mkldnn.matmul.fp32_precision)
print("after it: generic", torch.backends.fp32_precision, "CPU", mkldnn.fp32_precision)
a = torch.randn(512, 512, device="cuda"); full = a @ a; mkldnn.fp32_precision = "tf32"; bad += ["bits unchanged"] * torch.equal(full, a @ a)
print("REFUTED" if bad else "HOLDS", bad)
