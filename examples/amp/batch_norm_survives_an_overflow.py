"""
BatchNorm survives an overflow
==============================

How do BatchNorm's running statistics survive an overflow? Put them back after a skipped step.
Statistics that were lost can be computed anew.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch import nn

gpu = torch.accelerator.current_accelerator(check_available=True)
device = gpu or torch.device("cpu")
model = nn.Sequential(nn.Linear(64, 64), nn.BatchNorm1d(64)).to(device)
model[1].running_var[0] = torch.nan  # as after an overflow
with torch.autocast(device.type, torch.float16):
    torch.optim.swa_utils.update_bn(torch.randn(8, 32, 64).to(device), model)
print([name for name, b in model.named_buffers() if not b.isfinite().all()])

# %%
# The trials train a small network. One batch of each training holds a defective sample.

TRIES, STEPS, DEFECT_AT, SAMPLES, LATER = 5, 30, 20, 500, 250


def make_batch(patterns, count, defect=False):
    labels = torch.randint(10, (count,))
    samples = patterns[labels] + 0.5 * torch.randn(count, 64)
    samples[0] = 60_000 if defect else samples[0]
    return samples.to(device), labels.to(device)


# %%
# The usual step, and two that protect the statistics: the first looks at the scale, which falls
# when a step was skipped. The first layer may also run in FP32, whose range is larger. The loop
# copies the buffers before each forward pass.


def as_usual(optimizer, scaler, loss, *_):
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()


def put_back_after_a_skip(optimizer, scaler, loss, buffers, saved):
    before = scaler.get_scale()
    as_usual(optimizer, scaler, loss)
    if scaler.get_scale() < before:
        for buffer, copy in zip(buffers, saved):
            buffer.copy_(copy)


def keep_what_is_finite(optimizer, scaler, loss, buffers, saved):
    as_usual(optimizer, scaler, loss)
    for buffer, copy in zip(buffers, saved):
        buffer.copy_(torch.where(buffer.isfinite(), buffer, copy))


def in_fp32(layer, x):
    with torch.autocast(x.device.type, enabled=False):
        return nn.functional.linear(x.float(), layer.weight, layer.bias)


def train(seed, step=as_usual, first=None, dtype=torch.float16, renew=False):
    torch.manual_seed(seed)
    layers = nn.Linear(64, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, 10)
    model, patterns = nn.Sequential(*layers).to(device), torch.randn(10, 64)
    if first:
        model[0].forward = lambda x: first(model[0], x)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler(device.type)
    batches = [make_batch(patterns, 32, i == DEFECT_AT) for i in range(STEPS)]
    autocast = torch.autocast(device.type, dtype)
    for x, labels in batches:
        saved = [buffer.clone() for buffer in model.buffers()]
        with autocast:
            loss = nn.functional.cross_entropy(model(x), labels)
        optimizer.zero_grad()
        step(optimizer, scaler, loss, [*model.buffers()], saved)
    with autocast:
        if renew:
            torch.optim.swa_utils.update_bn([x for x, _ in batches[:DEFECT_AT]], model)
    return model, autocast, batches[0][0], *make_batch(patterns, SAMPLES)


# %%
# Does the network recognise nine tenths of new samples, at once, and after more good batches?


@torch.no_grad()
def evaluate(model, autocast, good, x, labels):
    found = {"lost": not all(buffer.isfinite().all() for buffer in model.buffers())}
    with autocast:
        for when, batches in (("at_once", 0), ("later", LATER)):
            for _ in range(batches):
                model.train()(good)
            answers = model.eval()(x)
            right = (answers.argmax(1) == labels).float().mean().item()
            found[f"right_{when}"] = right > 0.9
    return found | {"nan_later": answers.isnan().all().item()}


# %%
# Count the tries, also together for the ways that keep the statistics finite by other means.

STEPPING = as_usual, put_back_after_a_skip, keep_what_is_finite
WAYS = {step.__name__: {"step": step} for step in STEPPING}
WAYS |= {"first_layer_in_fp32": {"first": in_fp32}, "computed_anew": {"renew": True}}
WAYS |= {"in_bf16": {"dtype": torch.bfloat16}}
rows = []
for way, options in WAYS.items():
    found = [evaluate(*train(seed, **options)) for seed in range(TRIES)]
    counts = {key: sum(row[key] for row in found) for key in found[0]}
    rows.append({"way": way} | counts)
    print(rows[-1])
FINITE = "keep_what_is_finite", "first_layer_in_fp32", "in_bf16"
mine = [row for row in rows if row["way"] in FINITE]
sums = {f"finite_{key}": sum(row[key] for row in mine) for key in found[0]}
sums["finite_tries"] = TRIES * len(mine)
measured = {"tries": TRIES, "later": LATER, "by_way": {"table": rows}, **sums}
