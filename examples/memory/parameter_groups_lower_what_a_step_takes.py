"""
Parameter groups lower what a step takes
========================================

AdamW's default form takes as much for a moment as the weights that it steps at once. That is one
parameter group: with several groups, such as those with and without weight decay, is it as much as
all of them, or as the largest? And what do many groups cost in time?
"""

import time

import torch

LAYERS, WIDTH = 16, 1024
layers = [torch.nn.Linear(WIDTH, WIDTH, device="cuda") for _ in range(LAYERS)]
decayed = [layer.weight for layer in layers]
others = [layer.bias for layer in layers]
for parameter in decayed + others:
    parameter.grad = torch.ones_like(parameter)

groups = [{"params": decayed}, {"params": others, "weight_decay": 0.0}]
optimizer = torch.optim.AdamW(groups)
optimizer.step()  # makes the state
before = torch.cuda.memory_allocated()
torch.cuda.reset_peak_memory_stats()
optimizer.step()
print(f"a step takes {torch.cuda.max_memory_allocated() - before} bytes for itself")

# %%
# Ways to put the same parameters into groups: all in one, biases apart, and some layers a group.


def by_layers(count):
    parts = [layers[i : i + count] for i in range(0, LAYERS, count)]
    return [[p for layer in part for p in layer.parameters()] for part in parts]


GROUPS = {
    "one": [decayed + others],
    "biases apart": [decayed, others],
    "two": by_layers(8),
    "one a layer": by_layers(1),
}
FORMS = {
    "foreach": {"foreach": True},
    "fused": {"fused": True},
    "loop": {"foreach": False},
    "amsgrad": {"foreach": True, "amsgrad": True},
}


def taken(groups, options):
    optimizer = torch.optim.AdamW([{"params": each} for each in groups], **options)
    optimizer.step()
    before = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    optimizer.step()
    return torch.cuda.max_memory_allocated() - before


rows = []
for name, groups in GROUPS.items():
    nbytes = [sum(parameter.nbytes for parameter in group) for group in groups]
    row = {"groups": name, "all_bytes": sum(nbytes), "largest_bytes": max(nbytes)}
    for form, options in FORMS.items():
        row[f"{form}_bytes"] = taken(groups, options)
    rows.append(row)
    print(row)

# %%
# Time, from an idle GPU to an idle GPU: many small parameters, where the host decides, and few
# large ones, where the GPU does. All take turns, every other round backwards.

SIZES = {"many small": (128, 64, [1, 2, 8, 128]), "few large": (8, 4096, [1, 2, 8])}
ROUNDS, STEPS = 6, 4


def new_step(count, width, groups, form):
    values = torch.ones(count, width, width, device="cuda")
    parameters = [torch.nn.Parameter(value) for value in values]
    for parameter in parameters:
        parameter.grad = torch.ones_like(parameter)
    each = count // groups
    parts = [{"params": parameters[i : i + each]} for i in range(0, count, each)]
    return torch.optim.AdamW(parts, **{form: True}).step


def seconds(step):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(STEPS):
        step()
    torch.cuda.synchronize()
    return (time.perf_counter() - begin) / STEPS


timed = []
for size, (count, width, numbers) in SIZES.items():
    keys = [(form, groups) for form in ("foreach", "fused") for groups in numbers]
    steps = {key: new_step(count, width, key[1], key[0]) for key in keys}
    warm_until = time.perf_counter() + 0.5
    while time.perf_counter() < warm_until:
        for step in steps.values():
            seconds(step)
    rounds = []
    for turn in range(ROUNDS):
        order = keys[:: -1 if turn % 2 else 1]
        rounds.append({key: seconds(steps[key]) for key in order})
    for form, groups in keys:
        if groups > 1:
            ratios = [each[form, groups] / each[form, 1] for each in rounds]
            row = {"case": f"{size}, {form}, {groups}"}
            timed.append(row | {"slowdown": {"samples": ratios}})
            print(row["case"], sorted(ratios)[ROUNDS // 2])

# %%
# A slowdown is relative to the same form with one group.

measured = {"by_groups": {"table": rows}, "by_case": {"table": timed}}
