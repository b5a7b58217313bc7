"""
A norm under autocast saves FP32
================================

Why does mixed precision save less memory than expected? What linear layers and activations keep
for backward takes half the bytes. Operators that autocast runs in FP32, such as ``layer_norm`` and
``softmax``, keep FP32, and what follows them keeps FP32 as well, up to the next matmul.
"""

import torch
from torch import nn
from torch.autograd.graph import saved_tensors_hooks

gpu = torch.accelerator.current_accelerator(check_available=True)
device = gpu or torch.device("cpu")
layers = nn.Linear(512, 512), nn.LayerNorm(512), nn.GELU(), nn.Linear(512, 512)
model, x = nn.Sequential(*layers).to(device), torch.randn(4096, 512, device=device)


def note(tensor):  # is called for each tensor that is saved for backward
    print(f"{tensor.dtype!s:>15} {tuple(tensor.shape)}")
    return tensor


hooks = saved_tensors_hooks(note, lambda tensor: tensor)
with hooks, torch.autocast(device.type, dtype=torch.bfloat16):
    model(x)

# %%
# A layer norm that autocast leaves alone: its weights take the type of the input.


class UncastLayerNorm(nn.LayerNorm):
    """A layer norm in the type of its input."""

    def forward(self, x):
        """Normalise without autocast."""
        with torch.autocast(x.device.type, enabled=False):
            weight, bias = self.weight.to(x.dtype), self.bias.to(x.dtype)
            return nn.functional.layer_norm(x, x.shape[-1:], weight, bias, self.eps)


# %%
# Several chains of layers on a batch of 4,096 rows of 512 numbers, and a transformer block on as
# many tokens. Each chain begins and ends with a linear layer.

ROWS, WIDTH = 4096, 512
CHAINS = {
    "relu": [nn.ReLU()],
    "gelu": [nn.GELU()],
    "batch_norm": [nn.BatchNorm1d(WIDTH), nn.ReLU()],
    "layer_norm": [nn.LayerNorm(WIDTH), nn.GELU()],
    "uncast_layer_norm": [UncastLayerNorm(WIDTH), nn.GELU()],
    "softmax": [nn.Softmax(-1)],
}


def chain(name):
    if name in CHAINS:
        return nn.Sequential(
            nn.Linear(WIDTH, WIDTH), *CHAINS[name], nn.Linear(WIDTH, WIDTH)
        )
    return nn.TransformerEncoderLayer(WIDTH, 8, 4 * WIDTH, 0.0, batch_first=True)


# %%
# Memory that several nodes save counts once. Parameters do not count, as they are there anyway,
# and small tensors of statistics do not count either. Copies of weights count apart: matrices with
# as many elements as one of the parameters.


def saved_bytes(model, x, low):
    parameters = list(model.parameters())
    there = {weight.untyped_storage().data_ptr() for weight in parameters}
    sizes = {weight.numel() for weight in parameters}
    found = {}

    def pack(tensor):
        memory = tensor.untyped_storage()
        is_copy = tensor.dim() == 2 and tensor.numel() in sizes
        is_counted = is_copy or memory.nbytes() >= ROWS * WIDTH
        if is_counted and memory.data_ptr() not in there:
            found[memory.data_ptr()] = memory.nbytes(), is_copy
        return tensor

    hooks = saved_tensors_hooks(pack, lambda tensor: tensor)
    with hooks, torch.autocast(device.type, dtype=low, enabled=low is not None):
        output = model(x)
    copies = sum(size for size, is_copy in found.values() if is_copy)
    return sum(size for size, _ in found.values()) - copies, copies, output


# %%
# The bytes in FP32 and in mixed precision, for each chain.

table = []
for name in (*CHAINS, "transformer"):
    torch.manual_seed(0)
    model = chain(name).to(device)
    x = torch.randn(ROWS, WIDTH, device=device)
    x = x.view(-1, 512, WIDTH) if name == "transformer" else x
    full, full_copies, full_output = saved_bytes(model, x, None)
    low, low_copies, low_output = saved_bytes(model, x, torch.bfloat16)
    row = {"chain": name, "fp32_bytes": full, "bf16_bytes": low}
    row |= {"saved_share": low / full, "fp32_copies_bytes": full_copies}
    row["bf16_copies_bytes"] = low_copies
    row["difference"] = (low_output - full_output).abs().max().item()
    table.append(row)
    print(row)

measured = {"rows": ROWS, "width": WIDTH, "by_chain": {"table": table}}
