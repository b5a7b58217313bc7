"""
Autocast adds casts to a step
=============================

What does mixed precision do besides its faster matmuls? In each step, it casts every weight to
16 bits and every gradient back, and a scaler looks at the gradients. So a step launches more
kernels than in FP32.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.profiler import profile

gpu = torch.accelerator.current_accelerator(check_available=True)
device = gpu or torch.device("cpu")
model, x = torch.nn.Linear(64, 64).to(device), torch.randn(16, 64, device=device)

with profile(acc_events=True) as seen:
    with torch.autocast(device.type, dtype=torch.bfloat16):
        output = model(x)
    output.sum().backward()
print(sum(event.name == "aten::_to_copy" for event in seen.events()), "casts")

# %%
# A step of eight linear layers, in three types.

LAYERS = 8
layers = [torch.nn.Linear(64, 64) for _ in range(LAYERS)]
model = torch.nn.Sequential(*layers).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
scalers = [torch.amp.GradScaler(device.type, enabled=on) for on in (False, True)]
TYPES = {"fp32": None, "bf16": torch.bfloat16, "fp16": torch.float16}


def step(name):
    low, scaler = TYPES[name], scalers[name == "fp16"]
    optimizer.zero_grad()
    with torch.autocast(device.type, dtype=low, enabled=low is not None):
        loss = model(x).float().square().mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()


# %%
# The profiler counts the casts and, on a GPU, the launches of kernels. Each kind of step runs
# once before. (After a session that watches the CPU alone, PyTorch 2.14 sees no launches.)

table = []
for name in TYPES:
    step(name)
    with profile(acc_events=True) as seen:
        step(name)
    names = [event.name for event in seen.events()]
    launches = sum("LaunchKernel" in name for name in names)
    row = {"type": name, "casts": names.count("aten::_to_copy"), "launches": launches}
    table.append(row)
    print(row)

# %%
# Each layer has a weight and a bias.

measured = {"parameters": 2 * LAYERS, "by_type": {"table": table}}
