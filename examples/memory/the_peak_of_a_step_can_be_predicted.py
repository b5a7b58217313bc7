"""
The peak of a step can be predicted
===================================

How much memory will a training step need? Add up weights, the optimizer's state, and the larger of
two sums: what all layers save for backward, or gradients with what the optimizer takes in its
step. Here the prediction stands beside the measured peak, for three models and two batches.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch import nn

WIDTH, LAYERS = 1024, 12
model = nn.Sequential(
    *(nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.ReLU()) for _ in range(LAYERS))
)
weights = sum(parameter.nbytes for parameter in model.parameters())
saved = LAYERS * 8192 * WIDTH * 4  # of each layer its output, in FP32, for 8192 rows
print(f"peak: {(weights * 3 + max(saved, weights * 2)) / 2**20:.0f} MiB")

# %%
# Two more models: convolutions with batch norm, and transformer blocks. A unit is what one layer
# makes of the batch, whose samples are rows, images or sequences. Of each model: how many units a
# layer saves.

CHANNELS, SIDE, TOKENS, HEADS = 64, 64, 512, 8


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(2))
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        wide, back = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.mlp = nn.Sequential(wide, nn.GELU(), back)

    def forward(self, x):
        parts = self.qkv(self.norms[0](x)).unflatten(2, (3, HEADS, -1)).transpose(1, 3)
        mixed = nn.functional.scaled_dot_product_attention(*parts.unbind(2))
        x = x + self.out(mixed.transpose(1, 2).flatten(2))
        return x + self.mlp(self.norms[1](x))


def linear():
    return nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.ReLU())


def convolution():
    layer = nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1, bias=False)
    return nn.Sequential(layer, nn.BatchNorm2d(CHANNELS), nn.ReLU())


# Of each model: its layer, how many, shape of a sample, units saved, both batches.
MODELS = {
    "linear": (linear, LAYERS, (WIDTH,), 1, (64, 16384)),
    "convolution": (convolution, LAYERS, (CHANNELS, SIDE, SIDE), 2, (1, 64)),
    "transformer": (Block, 6, (TOKENS, WIDTH), 16, (1, 16)),
}

# %%
# What is allocated is read between the parts of a step, and the peak of each part. A first step
# makes the optimizer's state and the libraries' workspaces.


def peak_of(part):
    torch.cuda.reset_peak_memory_stats()
    part()
    return torch.cuda.max_memory_allocated(), torch.cuda.memory_allocated()


def measure(name, samples):
    make, layers, shape, units, _ = MODELS[name]
    torch.manual_seed(0)
    with torch.device("cuda"):
        model = nn.Sequential(*(make() for _ in range(layers)))
        x = torch.randn(samples, *shape)
    optimizer = torch.optim.AdamW(model.parameters())
    model(x).square().mean().backward()
    optimizer.step()
    optimizer.zero_grad()
    tensors = [*model.parameters(), *model.buffers(), x]
    weights = sum(tensor.nbytes for tensor in model.parameters())
    states = [v for s in optimizer.state.values() for v in s.values() if v.is_cuda]
    there = sum(-tensor.nbytes // 512 * -512 for tensor in tensors + states)
    begin = torch.cuda.memory_allocated()
    losses = []
    forward = peak_of(lambda: losses.append(model(x).square().mean()))
    backward = peak_of(losses.pop().backward)
    step = peak_of(optimizer.step)
    peaks = [peak - begin + there for peak, _ in (forward, backward, step)]
    saved = layers * units * x.nbytes
    predicted = x.nbytes + weights * 3 + max(saved, weights * 2)
    return {
        "weights_bytes": weights,
        "state_bytes": sum(tensor.nbytes for tensor in states),
        "gradients_bytes": backward[1] - begin,
        "unit_bytes": x.nbytes,
        "layers": layers,
        "saved_units": (forward[1] - begin) / (layers * x.nbytes),
        "predicted_bytes": predicted,
        "peak_bytes": max(peaks),
        "peak_share": max(peaks) / predicted,
        "peak_in": ("forward", "backward", "step")[peaks.index(max(peaks))],
    }


# %%
# Each model trains with a small and with a large batch.

table = []
for name in MODELS:
    for batch, samples in zip(("small", "large"), MODELS[name][-1], strict=True):
        found = measure(name, samples)
        place = {"case": f"{name}_{batch}", "model": name, "batch": batch}
        table.append(place | found)
        print({key: value for key, value in table[-1].items() if "bytes" not in key})
        torch.cuda.empty_cache()
measured = {"by_case": {"table": table}}
