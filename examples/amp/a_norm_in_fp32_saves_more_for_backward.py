"""
A norm in FP32 saves more for backward
======================================

Why does mixed precision not halve the memory? Autocast gives LayerNorm a copy of its input in FP32,
and what follows gets FP32 as well. All of it is kept for backward.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch import nn

gpu = torch.accelerator.current_accelerator(check_available=True)
device = gpu or torch.device("cpu")


class LayerNorm(nn.LayerNorm):
    """A LayerNorm that computes in the type of its input."""

    def forward(self, x):
        """Cast the weights instead of the input."""
        w, b = self.weight.to(x.dtype), self.bias.to(x.dtype)
        with torch.autocast(x.device.type, enabled=False):
            return nn.functional.layer_norm(x, self.normalized_shape, w, b, self.eps)


with torch.autocast(device.type, torch.bfloat16):
    print(LayerNorm(512).to(device)(torch.randn(8, 512).to(device).bfloat16()).dtype)

# %%
# The same for RMSNorm. A block runs from one linear layer to the next, with a norm in between.


class RMSNorm(nn.RMSNorm):
    """An RMSNorm that computes in the type of its input."""

    def forward(self, x):
        """Cast the weights instead of the input."""
        weight = self.weight.to(x.dtype)
        with torch.autocast(x.device.type, enabled=False):
            return nn.functional.rms_norm(x, self.normalized_shape, weight, self.eps)


ROWS, WIDTH = 4096, 1024


def make_block(norm):
    torch.manual_seed(0)
    layers = nn.Linear(WIDTH, WIDTH), norm(WIDTH), nn.GELU(), nn.Linear(WIDTH, WIDTH)
    return nn.Sequential(*layers).to(device)


# %%
# Hooks see each tensor that is saved for backward. Those that have a row for each row of the batch
# are counted, each memory once: weights and their copies are not.


def saved(block, dtype):
    found = {}

    def pack(tensor):
        if tensor.shape[:1] == (ROWS,):
            memory = tensor.untyped_storage()
            found[memory.data_ptr()] = memory.nbytes()
        return tensor

    x = torch.randn(ROWS, WIDTH).to(device)
    hooks = torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor)
    low = dtype is not torch.float32
    with hooks, torch.autocast(device.type, dtype, enabled=low):
        result = block(x)
    assert result.requires_grad  # the graph holds what was saved
    return sum(found.values())


# %%
# PyTorch may warn that RMSNorm cannot use its fused kernel for mixed types: that is the point here.

import warnings

NORMS = {
    "none": nn.Identity,
    "LayerNorm": nn.LayerNorm,
    "LayerNorm, fitting": LayerNorm,
    "RMSNorm": nn.RMSNorm,
    "RMSNorm, fitting": RMSNorm,
}
rows = []
with warnings.catch_warnings(action="ignore"):
    for name, norm in NORMS.items():
        block = make_block(norm)
        full, low = (saved(block, t) for t in (torch.float32, torch.bfloat16))
        row = {"norm": name, "fp32_element_bytes": full / (ROWS * WIDTH)}
        row["bf16_element_bytes"] = low / (ROWS * WIDTH)
        rows.append(row | {"bf16_share": low / full})
        print(row)

# %%
# Bytes for each element of the batch: 4 in FP32, or 2 in BF16, for each tensor that is kept.

measured = {"rows": ROWS, "width": WIDTH, "by_norm": {"table": rows}}
