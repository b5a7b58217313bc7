"""
Mixed precision saves memory in large batches
=============================================

Does mixed precision save memory? It does where activations take most of it. Weights, gradients
and the state of the optimizer stay in FP32, and each weight gets a copy in 16 bits besides, so
with a small batch a step needs more memory than in FP32, up to PyTorch 2.14.
"""

# sphinx_gallery_quiet = "nothing"
import torch

LAYERS, WIDTH, BATCHES = 6, 2048, (64, 512, 2048, 8192, 32768)
torch.manual_seed(0)
with torch.device("cuda"):
    pairs = [(torch.nn.Linear(WIDTH, WIDTH), torch.nn.ReLU()) for _ in range(LAYERS)]
    head = torch.nn.Linear(WIDTH, 16)
model = torch.nn.Sequential(*(layer for pair in pairs for layer in pair), head)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)

# %%
# A step, with a scaler for FP16 alone. Gradients are dropped before the step, as they are by
# default, or kept, as when they are accumulated.

TYPES = {"fp32": None, "fp16": torch.float16, "bf16": torch.bfloat16}


def train(rows, low, kept=False):
    batch = torch.randn(rows, WIDTH, device="cuda")
    scaler = torch.amp.GradScaler("cuda", enabled=low is torch.float16)
    optimizer.zero_grad(set_to_none=not kept)
    with torch.autocast("cuda", dtype=low, enabled=low is not None):
        loss = model(batch).float().square().mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()


# %%
# What is there between two steps, gradients left out: the weights, the state of the optimizer,
# and what libraries keep for themselves after a first step of each kind.

for low in TYPES.values():
    train(64, low)
optimizer.zero_grad()
there = torch.cuda.memory_allocated()
weights_bytes = sum(parameter.nbytes for parameter in model.parameters())
state_bytes = sum(s["momentum_buffer"].nbytes for s in optimizer.state.values())
workspaces = there - weights_bytes - state_bytes

# %%
# The peak of the memory that tensors take in a step, workspaces left out. Freed memory that the
# allocator keeps does not count.


def peak_bytes(rows, low, kept=False):
    for _ in range(2):  # the first leaves gradients for the second
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
        train(rows, low, kept)
    optimizer.zero_grad()
    return torch.cuda.max_memory_allocated() - workspaces


table = []
for rows in BATCHES:
    row = {"rows": rows}
    row |= {f"{name}_peak_bytes": peak_bytes(rows, low) for name, low in TYPES.items()}
    for name in ("fp16", "bf16"):
        row[f"{name}_peak_share"] = row[f"{name}_peak_bytes"] / row["fp32_peak_bytes"]
        row[f"{name}_extra_bytes"] = row[f"{name}_peak_bytes"] - row["fp32_peak_bytes"]
    kept = [peak_bytes(rows, low, kept=True) for low in (None, torch.bfloat16)]
    row["bf16_kept_share"] = kept[1] / kept[0]
    table.append(row)
    print(row)

# %%
# The types of weights, gradients and state say why none of them takes less.

train(64, torch.bfloat16)
tensors = [tensor for w in model.parameters() for tensor in (w, w.grad)]
tensors += [state["momentum_buffer"] for state in optimizer.state.values()]
measured = {
    "by_rows": {"table": table},
    "weights_bytes": weights_bytes,
    "state_bytes": state_bytes,
    "tensors": len(tensors),
    "tensors_in_fp32": sum(tensor.dtype == torch.float32 for tensor in tensors),
}
