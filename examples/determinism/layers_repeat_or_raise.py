"""
Layers repeat or raise
======================

Do recurrent layers repeat their bits in deterministic mode, and other layers, in FP32 and BF16?
Each runs forward and backward, without the mode and with it, in sizes that fill the GPU.
"""

# sphinx_gallery_evidence = {"processes": 1, "expected_warnings": ["Attempting", "LSTM", "RNN"]}
import torch
from torch import nn

torch.manual_seed(0)
lstm = nn.LSTM(256, 512, num_layers=2).cuda()
sequence = torch.randn(64, 128, 256, device="cuda", requires_grad=True)


def gradient():
    return torch.autograd.grad(lstm(sequence)[0].sum(), lstm.weight_hh_l0)[0]


first, *others = [gradient() for _ in range(21)]
print("other bits:", sum(not torch.equal(first, one) for one in others), "of 20")

# %%
# Layers with weights, and the shape of their input. Integers are places in a table of 64 rows.

IMAGE, VOLUME, ROWS = (16, 64, 64, 64), (4, 32, 16, 32, 32), (64, 128, 256)
LAYERS = {
    "LSTM": (nn.LSTM(256, 512, 2), ROWS),
    "LSTM, both ways": (nn.LSTM(256, 256, bidirectional=True), ROWS),
    "LSTM with a projection": (nn.LSTM(256, 512, proj_size=128), ROWS),
    "GRU": (nn.GRU(256, 512, 2), ROWS),
    "RNN": (nn.RNN(256, 512, 2), ROWS),
    "TransformerEncoderLayer": (nn.TransformerEncoderLayer(256, 8, dropout=0.0), ROWS),
    "Conv1d": (nn.Conv1d(128, 128, 3), ROWS),
    "Conv2d": (nn.Conv2d(64, 64, 3), IMAGE),
    "Conv3d": (nn.Conv3d(32, 32, 3), VOLUME),
    "ConvTranspose1d": (nn.ConvTranspose1d(128, 128, 3), ROWS),
    "ConvTranspose2d": (nn.ConvTranspose2d(64, 64, 3), IMAGE),
    "ConvTranspose3d": (nn.ConvTranspose3d(32, 32, 3), VOLUME),
    "BatchNorm2d": (nn.BatchNorm2d(64), IMAGE),
    "GroupNorm": (nn.GroupNorm(8, 64), IMAGE),
    "LayerNorm": (nn.LayerNorm(256), ROWS),
    "RMSNorm": (nn.RMSNorm(256), ROWS),
    "ReplicationPad2d": (nn.ReplicationPad2d(9), IMAGE),
    "ReflectionPad2d": (nn.ReflectionPad2d(9), IMAGE),
    "ReflectionPad3d": (nn.ReflectionPad3d(9), VOLUME),
    "Embedding": (nn.Embedding(64, 64), None),
    "EmbeddingBag, sum": (nn.EmbeddingBag(64, 64, mode="sum"), None),
    "EmbeddingBag, maximum": (nn.EmbeddingBag(64, 64, mode="max"), None),
}
places = torch.randint(64, (2**13, 16), device="cuda")
RUNS = 20


def pass_of(layer, shape, dtype, backward):
    layer, x = layer.to("cuda", dtype), places
    if shape:
        x = torch.randn(shape, device="cuda", dtype=dtype, requires_grad=True)
    leaves = [*layer.parameters(), *([x] if shape else [])]

    def forward():
        result = layer(x)
        return result[0] if isinstance(result, tuple) else result

    slopes = torch.randn_like(forward())
    if backward:
        return lambda: torch.autograd.grad(forward(), leaves, slopes)
    return lambda: [forward()]


# %%
# How many runs give other bits than the first? An error is noted by how it begins.


def varied(make, *given):
    try:
        call = make(*given)
        first = call()
        return str(sum(not all(map(torch.equal, first, call())) for _ in range(RUNS)))
    except RuntimeError as raised:
        said = str(raised).partition("\n")[0]
        return "raises " + said.partition(" does not have")[0][:80]


def row_of(name, *given):
    row = {"call": name}
    for mode, column in {False: "others", True: "switched"}.items():
        torch.use_deterministic_algorithms(mode)
        row[column] = varied(*given)
    print(row)
    return row


rows = []
for name, (layer, shape) in LAYERS.items():
    for label, dtype in {"FP32": torch.float32, "BF16": torch.bfloat16}.items():
        for way in "forward", "backward":
            given = pass_of, layer, shape, dtype, way == "backward"
            rows.append(row_of(f"{name}, {label}, {way}", *given))
measured = {"runs": RUNS, "calls": len(rows), "by_call": {"table": rows}}
for column in "others", "switched":
    differ = [row["call"] for row in rows if row[column].strip("0").isdecimal()]
    raised = [row["call"] for row in rows if "raises" in row[column]]
    measured |= {f"{column}_differ": len(differ), f"{column}_raise": len(raised)}
    measured[f"{column}_names"] = "; ".join(differ) or "none"
