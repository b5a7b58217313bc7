"""
Only running statistics are ruined
==================================

Which layers does an infinite activation ruin for good? Those that keep running statistics, in
any precision. Later batches do not repair them: the average of infinity and a number is infinite.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch import nn

gpu = torch.accelerator.current_accelerator(check_available=True)
device = gpu or torch.device("cpu")
layer = nn.BatchNorm2d(8).to(device)
images = torch.randn(4, 8, 16, 16, device=device)
images[0, 3, 5, 5] = torch.inf
layer(images)
lost = ~(layer.running_mean.isfinite() & layer.running_var.isfinite())
print(lost.nonzero().flatten().tolist())  # the channels whose statistics are lost

# %%
# One infinite element is all that a batch of images holds. A good batch follows a hundred times.

LATER, CHANNELS = 100, 8
LAYERS = {
    "BatchNorm2d": nn.BatchNorm2d(CHANNELS),
    "BatchNorm2d, cumulative": nn.BatchNorm2d(CHANNELS, momentum=None),
    "BatchNorm2d, untracked": nn.BatchNorm2d(CHANNELS, track_running_stats=False),
    "InstanceNorm2d": nn.InstanceNorm2d(CHANNELS),
    "InstanceNorm2d, tracked": nn.InstanceNorm2d(CHANNELS, track_running_stats=True),
    "GroupNorm": nn.GroupNorm(2, CHANNELS),
    "LayerNorm": nn.LayerNorm([CHANNELS, 16, 16]),
    "RMSNorm": nn.RMSNorm([CHANNELS, 16, 16], elementwise_affine=False),
}
TYPES = {"FP32": torch.float32, "FP16": torch.float16, "BF16": torch.bfloat16}


@torch.no_grad()
def outcome(layer, dtype):
    torch.manual_seed(0)
    good = torch.randn(4, CHANNELS, 16, 16, device=device)
    bad = good.clone()
    bad[0, 3, 5, 5] = torch.inf
    layer.train()
    layer(bad.to(dtype))
    for _ in range(LATER):
        layer(good.to(dtype))
    answers = layer.eval()(good.to(dtype))
    channels = ~answers.isfinite().all(dim=(0, 2, 3))
    buffers_lost = not all(buffer.isfinite().all() for buffer in layer.buffers())
    return buffers_lost, channels.sum().item()


# %%
# Autocast gives each layer the type that it wants. Layers are used again once their statistics
# were reset.

rows = []
for name, layer in LAYERS.items():
    row = {"layer": name}
    for kind, dtype in TYPES.items():
        layer.to(device)
        if hasattr(layer, "reset_running_stats"):
            layer.reset_running_stats()
        with torch.autocast(device.type, dtype, enabled=kind != "FP32"):
            lost, channels = outcome(layer, dtype)
        row |= {f"lost_{kind.lower()}": lost, f"channels_{kind.lower()}": channels}
    rows.append(row)
    print(row)

# %%
# Was a statistic lost, and how many of the channels answer with something that is not finite?
# Counted in cases: a layer in a type.

keeping = [row for row in rows if any(True for _ in LAYERS[row["layer"]].buffers())]
by_kind = []
for kind, mine in (
    ("with statistics", keeping),
    ("without statistics", [row for row in rows if row not in keeping]),
):
    lost = sum(row[f"lost_{t.lower()}"] for row in mine for t in TYPES)
    channels = [row[f"channels_{t.lower()}"] for row in mine for t in TYPES]
    counts = {"layers": len(mine), "cases": len(channels), "lost": lost}
    counts["one_channel"] = channels.count(1)
    by_kind.append({"kind": kind, **counts, "no_channel": channels.count(0)})
    print(by_kind[-1])

# %%
# Can ``update_bn`` compute lost statistics anew? The layers have met the infinite element last.

renewed = []
for row in keeping:
    layer = LAYERS[row["layer"]]
    good = [torch.randn(4, CHANNELS, 16, 16, device=device) for _ in range(3)]
    torch.optim.swa_utils.update_bn(good, nn.Sequential(layer))
    finite = all(buffer.isfinite().all().item() for buffer in layer.buffers())
    renewed.append({"layer": row["layer"], "finite": finite})
    print(renewed[-1])
measured = {
    "renewed": {"table": renewed},
    "later": LATER,
    "channels": CHANNELS,
    "by_layer": {"table": rows},
    "by_kind": {"table": by_kind},
}
