"""
Autocast halves what some layers save
=====================================

Why does mixed precision save less memory than expected? What linear layers and activations keep
for backward takes half the bytes. A softmax, which autocast runs in FP32, keeps its result in
FP32 and a copy in 16 bits for the next layer.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch import nn
from torch.autograd.graph import saved_tensors_hooks

gpu = torch.accelerator.current_accelerator(check_available=True)
device = gpu or torch.device("cpu")
layers = nn.Linear(512, 256), nn.GELU(), nn.Softmax(-1), nn.Linear(256, 512)
model, x = nn.Sequential(*layers).to(device), torch.randn(4096, 512, device=device)


def note(tensor):  # is called for each tensor that is saved for backward
    print(f"{tensor.dtype!s:>15} {tuple(tensor.shape)}")
    return tensor


hooks = saved_tensors_hooks(note, lambda tensor: tensor)
with hooks, torch.autocast(device.type, dtype=torch.bfloat16):
    model(x)

# %%
# Several chains of layers on a batch of 4,096 rows of 512 numbers, and a transformer block on as
# many tokens. Each chain begins and ends with a linear layer.

ROWS, WIDTH = 4096, 512
CHAINS = {
    "relu": [nn.ReLU()],
    "gelu": [nn.GELU()],
    "batch_norm": [nn.BatchNorm1d(WIDTH), nn.ReLU()],
    "softmax": [nn.Softmax(-1)],
}


def make(name):
    if name not in CHAINS:
        return nn.TransformerEncoderLayer(WIDTH, 8, 4 * WIDTH, 0.0, batch_first=True)
    first, last = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
    return nn.Sequential(first, *CHAINS[name], last)


# %%
# Memory that several nodes save counts once. Small tensors of statistics do not count, nor do
# weights, which are there anyway, and their copies: matrices as large as one of the weights.


def saved_bytes(model, x, low):
    sizes = {weight.numel() for weight in model.parameters()}
    found = {}

    def pack(tensor):
        memory = tensor.untyped_storage()
        is_weight = tensor.dim() == 2 and tensor.numel() in sizes
        if not is_weight and memory.nbytes() >= ROWS * WIDTH:
            found[memory.data_ptr()] = memory.nbytes()
        return tensor

    hooks = saved_tensors_hooks(pack, lambda tensor: tensor)
    with hooks, torch.autocast(device.type, dtype=low, enabled=low is not None):
        output = model(x)
    assert output.requires_grad  # the graph holds what was saved
    return sum(found.values())


# %%
# The bytes in FP32 and in mixed precision, for each chain.

table = []
for name in (*CHAINS, "transformer"):
    torch.manual_seed(0)
    model = make(name).to(device)
    x = torch.randn(ROWS, WIDTH, device=device)
    x = x.view(-1, 512, WIDTH) if name == "transformer" else x
    full, low = (saved_bytes(model, x, dtype) for dtype in (None, torch.bfloat16))
    row = {"chain": name, "fp32_bytes": full, "bf16_bytes": low}
    table.append(row | {"saved_share": low / full})
    print(table[-1])

measured = {"rows": ROWS, "width": WIDTH, "by_chain": {"table": table}}
