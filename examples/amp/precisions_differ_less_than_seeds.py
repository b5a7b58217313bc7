"""
Precisions differ less than seeds
=================================

Does a model learn as well in mixed precision? A transformer block, a convolutional net and an
MLP learn in FP32, TF32, FP16 with a scaler, and BF16. Their losses differ less from each other
than the losses of FP32 runs that begin with other weights.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel

gpu = torch.accelerator.current_accelerator(check_available=True)
device = gpu or torch.device("cpu")
TYPES = {"fp32": None, "tf32": None, "fp16": torch.float16, "bf16": torch.bfloat16}

# %%
# Three small models, each with the shape of its data, how far apart the classes of the data are,
# and a learning rate.


def make_transformer():
    options = {"dropout": 0.0, "batch_first": True, "norm_first": True}
    block = nn.TransformerEncoderLayer(64, 4, 256, **options)
    return nn.Sequential(block, nn.Flatten(), nn.Linear(8 * 64, 10))


def make_conv_net():
    layers = []
    for before, after in ((3, 16), (16, 32), (32, 64)):
        convolution = nn.Conv2d(before, after, 3, stride=2, padding=1, bias=False)
        layers += [convolution, nn.BatchNorm2d(after), nn.ReLU()]
    return nn.Sequential(*layers, nn.Flatten(), nn.Linear(4 * 64, 10))


def make_mlp():
    layers = [nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(256, 10))


MODELS = {
    "transformer": (make_transformer, (8, 64), 3, 0.05),
    "conv_net": (make_conv_net, (3, 16, 16), 5, 0.02),
    "mlp": (make_mlp, (256,), 3, 0.05),
}

# %%
# Ten classes of data, under so much noise that no model can tell all of them apart. Each batch is
# new, so its loss is one on unseen data. Every run sees the same batches in the same order.

STEPS, BATCH, WINDOW, LAST, SEEDS = 80, 64, 10, 20, (2, 3, 4)


def batches(shape, apart):
    torch.manual_seed(0)
    centres = torch.randn(10, *shape, device=device)
    centres *= apart / centres[0].numel() ** 0.5
    for _ in range(STEPS):
        labels = torch.randint(10, (BATCH,), device=device)
        yield centres[labels] + torch.randn(BATCH, *shape, device=device), labels


# %%
# A run in a precision, from the weights of a seed. The algorithms have to be deterministic, so
# that nothing else differs: this holds for cuDNN's as set here, and for attention from matmuls.

torch.backends.cudnn.deterministic = True


def train(name, precision, seed=1):
    make, shape, apart, rate = MODELS[name]
    torch.manual_seed(seed)
    model = make().to(device)
    setting = "tf32" if precision == "tf32" else "ieee"
    torch.backends.cuda.matmul.fp32_precision = setting
    torch.backends.cudnn.conv.fp32_precision = setting
    low = {"dtype": TYPES[precision], "enabled": TYPES[precision] is not None}
    scaler = torch.amp.GradScaler(device.type, enabled=precision == "fp16")
    optimizer = torch.optim.SGD(model.parameters(), lr=rate, momentum=0.9)
    losses = []
    for x, labels in batches(shape, apart):
        optimizer.zero_grad()
        with torch.autocast(device.type, **low), sdpa_kernel(SDPBackend.MATH):
            loss = nn.functional.cross_entropy(model(x), labels)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        losses.append(loss.detach())
    return torch.stack(losses).tolist()


# %%
# The losses over the steps, as means of ten; and by how much the mean of the last twenty changes,
# with another precision at most, and with other weights to begin with at most.


def mean(losses):
    return sum(losses) / len(losses)


ends = range(WINDOW, STEPS + 1, WINDOW)
by_step, by_model = {end: {"step": end} for end in ends}, []
for name in MODELS:
    curves = {precision: train(name, precision) for precision in TYPES}
    for end, row in by_step.items():
        for precision, curve in curves.items():
            row[f"{name}_{precision}_loss"] = mean(curve[end - WINDOW : end])
    full, *lows = curves.values()
    others = [train(name, "fp32", seed) for seed in SEEDS]
    shares = [
        max(abs(mean(curve[-LAST:]) / mean(full[-LAST:]) - 1) for curve in arms)
        for arms in (lows, others)
    ]
    row = dict(zip(("precision_change_share", "seed_change_share"), shares))
    row["learnt_share"] = mean(full[-LAST:]) / mean(full[:WINDOW])
    by_model.append({"model": name} | row)
    print(by_model[-1])

measured = {"by_step": {"table": [*by_step.values()]}, "by_model": {"table": by_model}}
