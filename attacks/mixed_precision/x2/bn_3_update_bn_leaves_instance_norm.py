"""
Page: docs/amp/batchnorm.md (the head; claim lost-statistics-can-be-computed-anew)
Sentences: "if they are already lost, recompute them"; "Lost statistics can be recomputed from good
batches, without training: after `update_bn`, the statistics were still lost in 0 of 5 tries". The
page also says that those of InstanceNorm with `track_running_stats=True` are ruined, too.

Attack: every layer that the page calls ruined, and other ways to keep statistics: InstanceNorm1d/2d/3d
(tracked), BatchNorm1d/2d/3d, cumulative BatchNorm, a model with both,
with `update_bn` under autocast and good batches, as on the page.

Refuted if after `update_bn` with good batches a running statistic of one of the layers that the page
calls ruined is still infinite or NaN.
"""

import torch
from torch import nn
from torch.optim.swa_utils import update_bn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
C = 8
CASES = {
    "BatchNorm2d": (nn.BatchNorm2d(C), (4, C, 16, 16)),
    "BatchNorm2d, cumulative": (nn.BatchNorm2d(C, momentum=None), (4, C, 16, 16)),
    "BatchNorm1d": (nn.BatchNorm1d(C), (16, C)),
    "BatchNorm3d": (nn.BatchNorm3d(C), (4, C, 4, 4, 4)),
    "InstanceNorm1d, tracked": (nn.InstanceNorm1d(C, track_running_stats=True), (4, C, 16)),
    "InstanceNorm2d, tracked": (nn.InstanceNorm2d(C, track_running_stats=True), (4, C, 16, 16)),
    "InstanceNorm3d, tracked": (nn.InstanceNorm3d(C, track_running_stats=True), (4, C, 4, 4, 4)),
    "both": (nn.Sequential(nn.BatchNorm2d(C), nn.InstanceNorm2d(C, track_running_stats=True)), (4, C, 16, 16)),
}
still = []
for name, (layer, shape) in CASES.items():
    torch.manual_seed(0)
    model = nn.Sequential(layer).to(device)
    good = [torch.randn(shape, device=device) for _ in range(8)]
    bad = good[0].clone()
    bad.view(-1)[5] = torch.inf
    lost = []
    with torch.no_grad(), torch.autocast(device.type, torch.float16):
        model.train()(bad.half())
        lost.append(not all(b.isfinite().all() for b in model.buffers()))
        update_bn([x.half() for x in good], model)
        lost.append(not all(b.isfinite().all() for b in model.buffers()))
        nan = not model.eval()(good[0].half()).isfinite().all().item()
    names = [n for n, b in model.named_buffers() if not b.isfinite().all()]
    print({"layer": name, "lost": lost[0], "lost_after_update_bn": lost[1], "eval_not_finite": nan, "buffers": names})
    if lost == [True, True]:
        still.append(name)
if still:
    print("REFUTED: update_bn does not recompute the lost statistics of " + "; ".join(still))
else:
    print(f"NOT REFUTED: the lost statistics of {len(CASES)} kinds of layers were finite after update_bn")
