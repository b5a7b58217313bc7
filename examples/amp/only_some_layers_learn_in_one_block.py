"""
Only some layers learn in one block
===================================

Why does my loss fall so slowly in mixed precision? In one autocast block around the whole loop,
only the layers that autocast leaves in FP32 learn, such as embeddings and norms.
"""

# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
torch.manual_seed(0)
model = torch.nn.Sequential(
    torch.nn.Embedding(256, 32),
    torch.nn.LayerNorm(32),
    torch.nn.Linear(32, 128),
    torch.nn.GELU(),
    torch.nn.LayerNorm(128),
    torch.nn.Linear(128, 256),
).to(device)
tokens = torch.arange(256, device=device)

# %%
# Each parameter in turn is changed in place between two forward passes of a block. Does the
# second one give another result?


def is_seen(parameter):
    with torch.no_grad(), torch.autocast(device.type, torch.bfloat16):
        before = model(tokens)
        old = parameter.clone()
        parameter.mul_(1.5).add_(0.5)
        after = model(tokens)
        parameter.copy_(old)
    return not torch.equal(before, after)


kinds = {}
for name, parameter in model.named_parameters():
    layer = model[int(name.split(".")[0])]
    kind = "linear" if isinstance(layer, torch.nn.Linear) else "other"
    row = kinds.setdefault(kind, {"kind": kind, "parameters": 0, "seen": 0})
    row["parameters"] += 1
    row["seen"] += is_seen(parameter)
print(*kinds.values(), sep="\n")

# %%
# The model learns which token follows which. All trainings begin with the same weights.

from contextlib import nullcontext
from copy import deepcopy

STEPS, EVERY, BATCH = 200, 20, 512
batches = torch.randint(256, (STEPS, BATCH), device=device)
successor = torch.randperm(256).to(device)


def block():
    return torch.autocast(device.type, torch.bfloat16)


def train(around, in_step):
    trained, losses = deepcopy(model), []
    optimizer = torch.optim.AdamW(trained.parameters(), lr=2e-3)
    with around():
        for batch in batches:
            with in_step():
                logits = trained(batch)
                loss = torch.nn.functional.cross_entropy(logits, successor[batch])
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            losses.append(loss.detach())
    return trained, torch.stack(losses).tolist()


WAYS = {
    "fp32": (nullcontext, nullcontext),
    "in_each_step": (nullcontext, block),
    "around": (block, nullcontext),
}
trained = {name: train(*contexts) for name, contexts in WAYS.items()}
curves = {name: losses for name, (_, losses) in trained.items()}
for name, losses in curves.items():
    print(f"{name}: {losses[0]:.3f} to {losses[-1]:.3f}")

# %%
# Each trained model predicts all tokens in a new block. How many of them are right?


@torch.no_grad()
def predicted(model):
    with block():
        return model(tokens)


outputs = {name: predicted(model) for name, (model, _) in trained.items()}
right = {
    name: (output.argmax(1) == successor).sum().item()
    for name, output in outputs.items()
}
print(right)

shown = [*range(0, STEPS, EVERY), STEPS - 1]
rows = [
    {"step": step + 1} | {f"{name}_loss": curve[step] for name, curve in curves.items()}
    for step in shown
]
measured = {
    "tokens": len(tokens),
    "by_kind": {"table": [*kinds.values()]},
    "by_step": {"table": rows},
    **{f"{name}_right": count for name, count in right.items()},
}
